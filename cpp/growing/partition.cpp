#include "growing/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/portable.hpp"
#include "data/code_reader.hpp"
#include "data/load.hpp"

namespace hardwood {

namespace {

// The branch of every code of a column, missing values last.
class CodeBranches {
 public:
  CodeBranches(const EncodedColumn& column, const Split& split)
      : split_(split), missing_code_(column.values), missing_(split.route_of_missing()) {
    if (column.kind != ColumnKind::category) return;
    by_code_.assign(column.values + 1, split.default_branch);
    for (std::size_t i = 0; i < split.codes.size(); ++i) by_code_[split.codes[i]] = split.branch_of[i];
    by_code_[column.values] = missing_;
  }

  std::int32_t operator()(std::uint32_t code) const {
    if (!by_code_.empty()) return by_code_[code];
    return code == missing_code_ ? missing_ : split_.interval_branch(code);
  }

 private:
  const Split& split_;
  std::uint32_t missing_code_;
  std::int32_t missing_;
  std::vector<std::int32_t> by_code_;
};

constexpr std::uint8_t ask_code = 2;  // the row's own code decides, or is wanted for the threshold

// Of a split in two: the branch of each lane code, or ask_code for buckets.
std::array<std::uint8_t, lane_codes> lane_branches(const EncodedColumn& column, const Split& split,
                                                   const CodeBranches& branch) {
  std::array<std::uint8_t, lane_codes> out{};
  const auto of = [&](std::uint32_t code) { return static_cast<std::uint8_t>(branch(code)); };
  if (column.storage == Storage::bundle) {
    for (std::size_t k = 0; k < column.digits.size(); ++k) out[k] = of(column.digits[k]);
  } else if (!column.bucketed()) {
    for (std::uint32_t code = 0; code < column.codes(); ++code) out[code] = of(code);
  } else {
    for (std::uint32_t b = 0; b < column.buckets(); ++b) {
      const std::uint8_t first = of(column.bucket_start[b]), last = of(column.bucket_start[b + 1] - 1);
      const bool wanted = !split.cuts.empty() && (b == split.bucket || b == split.next_bucket);
      out[b] = first != last || wanted ? ask_code : first;
    }
    if (column.has_missing) out[column.buckets()] = of(column.values);
  }
  return out;
}

template <bool carried, class BranchOf, class Prefetch>
std::vector<NodeRows> move_rows(const NodeRows& node, const RowArrays& arrays, BranchOf branch_of,
                                Prefetch fetch) {
  std::uint32_t* const rows = arrays.rows;
  std::uint32_t* const scratch = arrays.scratch;
  std::vector<NodeRows> out(2);
  std::uint32_t left = node.begin, right = node.begin;
  for (const ClassRows& part : node.classes) {
    const std::uint32_t left_begin = left, right_begin = right;
    const auto move = [&](std::uint32_t i) {
      const std::uint32_t row = rows[i];
      const std::uint32_t to_right = branch_of(row) != 0 ? 1 : 0;
      rows[left] = row;
      scratch[right] = row;
      if constexpr (carried) {
        const std::int64_t weight = arrays.weights[i];
        arrays.weights[left] = weight;
        arrays.weight_scratch[right] = weight;
      }
      left += 1 - to_right;
      right += to_right;
    };
    std::uint32_t i = part.begin;
    for (; i + ahead < part.end; ++i) {
      fetch(rows[i + ahead]);
      move(i);
    }
    for (; i < part.end; ++i) move(i);
    if (left > left_begin) out[0].classes.push_back({part.label, left_begin, left});
    if (right > right_begin) out[1].classes.push_back({part.label, right_begin, right});
  }
  std::copy(scratch + node.begin, scratch + right, rows + left);
  if constexpr (carried)
    std::copy(arrays.weight_scratch + node.begin, arrays.weight_scratch + right, arrays.weights + left);
  for (ClassRows& part : out[1].classes) {
    part.begin += left - node.begin;
    part.end += left - node.begin;
  }
  out[0].begin = node.begin;
  out[0].end = out[1].begin = left;
  out[1].end = node.end;
  return out;
}

template <class BranchOf, class Prefetch>
std::vector<NodeRows> move_rows(const NodeRows& node, const RowArrays& arrays, BranchOf branch_of,
                                Prefetch fetch) {
  return arrays.weights ? move_rows<true>(node, arrays, branch_of, fetch)
                        : move_rows<false>(node, arrays, branch_of, fetch);
}

std::vector<NodeRows> divide_bucketed(const Problem& problem, const NodeRows& node, Split& split,
                                      const CodeBranches& branch, const RowArrays& arrays) {
  const EncodedColumn& column = problem.table->columns[split.column];
  const std::uint8_t* bucket_of = column.bucket_of.data();
  const auto branches = lane_branches(column, split, branch);
  const StoredRow stored = problem.table->stored;
  const auto fetch = [&](std::uint32_t row) { prefetch(bucket_of + stored(row)); };
  const std::uint64_t cut = split.cuts.empty() ? column.values : split.cuts[0];
  std::uint64_t below = 0, above = none;
  std::vector<NodeRows> out;
  with_fine(column.fine, [&](const auto* fine) {
    out = move_rows(
        node, arrays,
        [&](std::uint32_t given) -> std::uint8_t {
          const std::uint32_t row = stored(given), bucket = bucket_of[row];
          if (branches[bucket] != ask_code) return branches[bucket];
          const std::uint64_t code = column.bucket_start[bucket] + fine[row];
          if (code <= cut) {
            below = std::max(below, code);
            return 0;
          }
          above = std::min(above, code);
          return 1;
        },
        fetch);
  });
  if (split.bucket != none && !split.cuts.empty()) {
    split.below.assign(1, below);
    split.above.assign(1, above);
  }
  return out;
}

std::vector<NodeRows> divide_in_two(const Problem& problem, const NodeRows& node, Split& split,
                                    const RowArrays& arrays) {
  const EncodedTable& table = *problem.table;
  const EncodedColumn& column = table.columns[split.column];
  const CodeBranches branch(column, split);
  if (column.bucketed()) return divide_bucketed(problem, node, split, branch, arrays);
  if (column.storage != Storage::entries) {
    if (!split.cuts.empty() && split.bucket != none) {
      split.below.assign(1, split.bucket);
      split.above.assign(1, split.next_bucket);
    }
    const LaneView lane = lane_view(table, column.lane);
    const auto branches = lane_branches(column, split, branch);
    return move_rows(
        node, arrays, [&](std::uint32_t row) { return branches[lane[row]]; },
        [&](std::uint32_t row) { prefetch(lane.word(row)); });
  }
  std::vector<NodeRows> out;
  std::uint64_t below = 0, above = none;
  const bool cut = !split.cuts.empty();
  with_codes(table, column, [&](auto code_of) {
    out = move_rows(
        node, arrays,
        [&](std::uint32_t row) {
          const std::uint32_t code = code_of(row);
          if (cut && code < column.values) {
            if (code <= split.cuts[0]) below = std::max<std::uint64_t>(below, code);
            else above = std::min<std::uint64_t>(above, code);
          }
          return branch(code);
        },
        [&](std::uint32_t row) { prefetch(&table.entry_begin[table.stored(row)]); });
  });
  if (cut && split.bucket != none) {
    split.below.assign(1, below);
    split.above.assign(1, above);
  }
  return out;
}

}  // namespace

std::vector<NodeRows> divide(const Problem& problem, const NodeRows& node, Split& split,
                             const RowArrays& arrays) {
  if (split.arity == 2) return divide_in_two(problem, node, split, arrays);
  std::uint32_t* const rows = arrays.rows;
  std::uint32_t* const scratch = arrays.scratch;
  const EncodedColumn& column = problem.table->columns[split.column];
  const CodeBranches branch_of(column, split);
  std::vector<std::int32_t> branch(node.size());
  std::vector<std::vector<std::uint32_t>> sizes(node.classes.size(),
                                                std::vector<std::uint32_t>(split.arity, 0));
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < node.classes.size(); ++k)
      for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
        ++sizes[k][branch[i - node.begin] = branch_of(code_of(rows[i]))];
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
  if (arrays.weights)
    std::copy(arrays.weights + node.begin, arrays.weights + node.end, arrays.weight_scratch + node.begin);
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i) {
      const std::uint32_t to = sizes[k][branch[i - node.begin]]++;
      rows[to] = scratch[i];
      if (arrays.weights) arrays.weights[to] = arrays.weight_scratch[i];
    }
  return out;
}

Split by_thresholds(const EncodedColumn& column, const Split& made, const double* thresholds,
                    const std::int64_t* integer_thresholds) {
  Split split = made;
  split.bucket = split.next_bucket = none;
  for (std::size_t i = 0; i < split.cuts.size(); ++i) {
    if (column.kind == ColumnKind::numeric) {
      const auto& book = column.codebook;
      split.cuts[i] = std::upper_bound(book.begin(), book.end(), thresholds[i]) - book.begin() - 1;
    } else {
      const std::uint64_t flip = key_flip(column.kind);
      const auto cut = std::bit_cast<std::uint64_t>(integer_thresholds[i]) ^ flip;
      const auto& book = column.wide_codebook;
      const auto above =
          std::upper_bound(book.begin(), book.end(), cut,
                           [&](std::uint64_t t, std::uint64_t value) { return t < (value ^ flip); });
      split.cuts[i] = above - book.begin() - 1;
    }
  }
  return split;
}

}  // namespace hardwood
