#include "growing/partition.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace hardwood {

namespace {

enum Side : std::uint8_t { goes_left = 0, goes_right = 1, ask_code = 2 };

// Which side each code of the column takes.
class CodeSides {
 public:
  CodeSides(const EncodedColumn& column, const Candidate& split, bool default_right)
      : split_(split), missing_code_(column.values) {
    const bool missing_right = split.missing_seen ? split.missing_right : default_right;
    missing_ = missing_right ? goes_right : goes_left;
    if (column.kind != ColumnKind::category) return;
    sides_.assign(column.values + 1, default_right ? goes_right : goes_left);
    for (std::uint32_t code : split.left_codes) sides_[code] = goes_left;
    for (std::uint32_t code : split.right_codes) sides_[code] = goes_right;
    sides_[column.values] = missing_;
  }

  Side operator()(std::uint32_t code) const {
    if (!sides_.empty()) return sides_[code];
    if (code == missing_code_) return missing_;
    return code <= split_.cut ? goes_left : goes_right;
  }

 private:
  const Candidate& split_;
  std::uint32_t missing_code_;
  Side missing_ = goes_left;
  std::vector<Side> sides_;
};

// The side of each lane code; ask_code for the buckets where the row's own code decides or is wanted for
// the threshold.
std::array<std::uint8_t, lane_codes> lane_sides(const EncodedColumn& column, const Candidate& split,
                                                const CodeSides& side) {
  std::array<std::uint8_t, lane_codes> out{};
  if (column.storage == Storage::bundle) {
    for (std::size_t k = 0; k < column.digits.size(); ++k) out[k] = side(column.digits[k]);
  } else if (!column.bucketed()) {
    for (std::uint32_t code = 0; code < column.codes(); ++code) out[code] = side(code);
  } else {
    for (std::uint32_t b = 0; b < column.buckets(); ++b) {
      const Side first = side(column.bucket_start[b]), last = side(column.bucket_start[b + 1] - 1);
      const bool wanted = b == split.group || b == split.next_group;
      out[b] = first != last || wanted ? ask_code : first;
    }
    if (column.has_missing) out[column.buckets()] = side(column.values);
  }
  return out;
}

template <class SideOf, class Prefetch>
void move_rows(const NodeRows& node, std::uint32_t* rows, std::uint32_t* scratch, Division& out, SideOf side_of,
               Prefetch prefetch) {
  constexpr std::uint32_t ahead = 24;
  std::uint32_t left = node.begin, right = node.begin;
  for (const ClassRows& part : node.classes) {
    const std::uint32_t left_begin = left, right_begin = right;
    const auto move = [&](std::uint32_t row) {
      const std::uint32_t to_right = side_of(row) != goes_left ? 1 : 0;
      rows[left] = row;
      scratch[right] = row;
      left += 1 - to_right;
      right += to_right;
    };
    std::uint32_t i = part.begin;
    for (; i + ahead < part.end; ++i) {
      prefetch(rows[i + ahead]);
      move(rows[i]);
    }
    for (; i < part.end; ++i) move(rows[i]);
    if (left > left_begin) out.left.classes.push_back({part.label, left_begin, left});
    if (right > right_begin) out.right.classes.push_back({part.label, right_begin, right});
  }
  std::copy(scratch + node.begin, scratch + right, rows + left);
  for (ClassRows& part : out.right.classes) {
    part.begin += left - node.begin;
    part.end += left - node.begin;
  }
  out.left.begin = node.begin;
  out.left.end = out.right.begin = left;
  out.right.end = node.end;
}

}  // namespace

Division divide(const Problem& problem, const NodeRows& node, const Candidate& split, bool default_right,
                std::uint32_t* rows, std::uint32_t* scratch) {
  const EncodedTable& table = *problem.table;
  const EncodedColumn& column = table.columns[split.column];
  const CodeSides side(column, split, default_right);
  Division out;
  if (column.storage == Storage::entries) {
    const std::uint32_t first = column.first_cell, last = first + column.codes();
    move_rows(
        node, rows, scratch, out,
        [&](std::uint32_t row) {
          const auto entries = table.row_entries(row);
          const auto at = std::lower_bound(entries.begin(), entries.end(), first);
          return side(at != entries.end() && *at < last ? *at - first : column.implicit_code);
        },
        [&](std::uint32_t row) { __builtin_prefetch(&table.entry_begin[row]); });
  } else {
    const LaneView lane = lane_view(table, column.lane);
    const auto sides = lane_sides(column, split, side);
    const auto prefetch = [&](std::uint32_t row) { __builtin_prefetch(lane.words + row); };
    if (!column.bucketed()) {
      move_rows(node, rows, scratch, out, [&](std::uint32_t row) { return sides[lane[row]]; }, prefetch);
    } else {
      std::int64_t largest_left = -1;
      std::uint32_t smallest_right = none;
      with_fine(column.fine, [&](const auto* fine) {
        move_rows(
            node, rows, scratch, out,
            [&](std::uint32_t row) -> std::uint8_t {
              const std::uint32_t bucket = lane[row];
              if (sides[bucket] != ask_code) return sides[bucket];
              const std::uint32_t code = column.bucket_start[bucket] + fine[row];
              if (code <= split.cut) {
                largest_left = std::max<std::int64_t>(largest_left, code);
                return goes_left;
              }
              smallest_right = std::min(smallest_right, code);
              return goes_right;
            },
            prefetch);
      });
      out.left_code = static_cast<std::uint32_t>(largest_left);
      out.right_code = smallest_right;
      return out;
    }
  }
  out.left_code = split.group;
  out.right_code = split.next_group;
  return out;
}

namespace {

// The branch of each code of the column that is present at the node.
std::vector<std::uint32_t> branch_by_code(const EncodedColumn& column, const Branching& split) {
  std::vector<std::uint32_t> out(column.values + 1, 0);
  if (column.kind == ColumnKind::category) {
    for (std::size_t i = 0; i < split.codes.size(); ++i)
      out[split.codes[i]] = static_cast<std::uint32_t>(split.branch_of[i]);
  } else {
    for (std::uint32_t upper : split.upper) out[upper] = 1;
    for (std::uint32_t code = 1; code < column.values; ++code) out[code] += out[code - 1];
  }
  if (split.missing_branch >= 0) out[column.values] = static_cast<std::uint32_t>(split.missing_branch);
  return out;
}

// Calls body(code_of), code_of(row) being the row's code in the column.
template <class Body>
void with_codes(const EncodedTable& table, const EncodedColumn& column, Body body) {
  if (column.storage == Storage::entries) {
    const std::uint32_t first = column.first_cell, last = first + column.codes();
    return body([&](std::uint32_t row) {
      const auto entries = table.row_entries(row);
      const auto at = std::lower_bound(entries.begin(), entries.end(), first);
      return at != entries.end() && *at < last ? *at - first : column.implicit_code;
    });
  }
  const LaneView lane = lane_view(table, column.lane);
  if (column.storage == Storage::bundle)
    return body([&](std::uint32_t row) { return std::uint32_t{column.digits[lane[row]]}; });
  if (!column.bucketed()) return body([&](std::uint32_t row) { return lane[row]; });
  with_fine(column.fine, [&](const auto* fine) {
    body([&](std::uint32_t row) -> std::uint32_t {
      const std::uint32_t bucket = lane[row];
      if (bucket == column.buckets()) return column.values;
      return column.bucket_start[bucket] + fine[row];
    });
  });
}

}  // namespace

std::vector<NodeRows> divide(const Problem& problem, const NodeRows& node, const Branching& split,
                             std::uint32_t* rows, std::uint32_t* scratch) {
  const EncodedColumn& column = problem.table->columns[split.column];
  const std::vector<std::uint32_t> branch_of = branch_by_code(column, split);
  std::vector<std::uint32_t> branch(node.size());
  std::vector<std::vector<std::uint32_t>> sizes(node.classes.size(),
                                                std::vector<std::uint32_t>(split.arity, 0));
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < node.classes.size(); ++k)
      for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
        ++sizes[k][branch[i - node.begin] = branch_of[code_of(rows[i])]];
  });
  std::vector<NodeRows> out(split.arity);
  std::uint32_t at = node.begin;
  for (std::int32_t b = 0; b < split.arity; ++b) {
    out[b].begin = at;
    for (std::size_t k = 0; k < node.classes.size(); ++k) {
      const std::uint32_t begin = at;
      at += sizes[k][b];
      if (at > begin) out[b].classes.push_back({node.classes[k].label, begin, at});
      sizes[k][b] = begin;
    }
    out[b].end = at;
  }
  std::copy(rows + node.begin, rows + node.end, scratch + node.begin);
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
      rows[sizes[k][branch[i - node.begin]]++] = scratch[i];
  return out;
}

}  // namespace hardwood
