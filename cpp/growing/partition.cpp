#include "growing/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/portable.hpp"
#include "data/code_reader.hpp"
#include "data/load.hpp"
#include "data/row_kernels.hpp"
#include "data/search_aids.hpp"
#include "growing/branch_of_code.hpp"

namespace hardwood {

namespace {

// Rows of one class that one thread divides.
struct Piece {
  int label;
  std::uint32_t begin, end;
  std::uint32_t right = 0;  // how many go to branch 1
  std::uint32_t size() const { return end - begin; }
};

constexpr std::uint32_t rows_a_piece = 1 << 14;  // smaller nodes are not shared out

std::vector<Piece> pieces_of(const NodeRows& node, const Pool* pool) {
  const bool shared = pool && pool->size() > 1 && node.size() >= 2 * rows_a_piece;
  const std::uint32_t most = shared ? rows_a_piece : std::max(node.size(), 1u);
  std::vector<Piece> out;
  for (const ClassRows& part : node.classes)
    for (std::uint32_t begin = part.begin; begin < part.end; begin += std::min(most, part.end - begin))
      out.push_back({part.label, begin, begin + std::min(most, part.end - begin)});
  return out;
}

// Marks the branch of each row by mark(number of the piece, rows, count, branch), which returns how many go to
// 1; then every row has its place.
template <class Mark>
std::vector<NodeRows> move_rows(const NodeRows& node, std::vector<Piece> pieces, const RowArrays& arrays,
                                Pool* pool, Mark mark) {
  const auto each_piece = [&](auto body) {
    if (pool && pieces.size() > node.classes.size()) return pool->parallel_for(pieces.size(), body);
    for (std::size_t p = 0; p < pieces.size(); ++p) body(p);
  };
  each_piece([&](std::size_t p) {
    Piece& piece = pieces[p];
    piece.right = mark(p, arrays.rows + piece.begin, piece.size(), arrays.branch + piece.begin);
  });
  std::vector<NodeRows> out(2);
  std::vector<std::uint32_t> place[2];
  std::uint32_t at = node.begin;
  for (int b = 0; b < 2; ++b) {
    out[b].begin = at;
    for (const Piece& piece : pieces) {
      place[b].push_back(at);
      const std::uint32_t count = b == 1 ? piece.right : piece.size() - piece.right;
      auto& classes = out[b].classes;
      if (count > 0 && (classes.empty() || classes.back().label != piece.label))
        classes.push_back({piece.label, at, at});
      at += count;
      if (count > 0) classes.back().end = at;
    }
    out[b].end = at;
  }
  each_piece([&](std::size_t p) {
    const Piece& piece = pieces[p];
    const auto places = [&](int b, std::uint32_t count) {
      std::int64_t* weights = arrays.weights ? arrays.moved_weights + place[b][p] : nullptr;
      return RowPlaces{arrays.moved_rows + place[b][p], weights, count};
    };
    const std::int64_t* weights = arrays.weights ? arrays.weights + piece.begin : nullptr;
    row_kernels().spread({arrays.rows + piece.begin, weights, piece.size()}, arrays.branch + piece.begin,
                         places(0, piece.size() - piece.right), places(1, piece.right));
  });
  return out;
}

// By a byte of each row.
std::vector<NodeRows> move_by_bytes(const NodeRows& node, const RowArrays& arrays, Pool* pool,
                                    const RowDivision& division) {
  return move_rows(node, pieces_of(node, pool), arrays, pool,
                   [&](std::size_t, const std::uint32_t* rows, std::uint32_t count, std::uint8_t* branch) {
                     return row_kernels().mark(rows, count, division, branch);
                   });
}

// By anything else: entries, pairs.
template <class BranchOf, class Prefetch>
std::vector<NodeRows> move_one_by_one(const NodeRows& node, const RowArrays& arrays, BranchOf branch_of,
                                      Prefetch fetch) {
  return move_rows(node, pieces_of(node, nullptr), arrays, nullptr,
                   [&](std::size_t, const std::uint32_t* rows, std::uint32_t count, std::uint8_t* branch) {
                     std::uint32_t right = 0;
                     for (std::uint32_t i = 0; i < count; ++i) {
                       if (i + ahead < count) fetch(rows[i + ahead]);
                       right += branch[i] = branch_of(rows[i]) != 0 ? 1 : 0;
                     }
                     return right;
                   });
}

std::vector<NodeRows> divide_bucketed(const Problem& problem, const NodeRows& node, Split& split,
                                      const BranchOfCode& branch, const RowArrays& arrays, Pool* pool) {
  const EncodedColumn& column = problem.table->columns[split.column];
  const std::uint8_t* bucket_of = column.bucket_of.data();
  const auto branches = lane_branches(column, split, branch);
  const StoredRow stored = problem.table->stored;
  std::vector<NodeRows> out;
  with_fine(column.fine, [&](const auto* fine) {
    CutCodes codes{column, fine, split.cuts.empty() ? column.values : split.cuts[0]};
    if (stored.pairs == 1) {
      std::vector<Piece> pieces = pieces_of(node, pool);
      std::vector<decltype(codes)> seen(pieces.size(), codes);
      const auto mark = [&](std::size_t p, const std::uint32_t* rows, std::uint32_t count, std::uint8_t* to) {
        const RowDivision division{{{}, 0, bucket_of}, branches.data(), codes.ask, &seen[p]};
        return row_kernels().mark(rows, count, division, to);
      };
      out = move_rows(node, std::move(pieces), arrays, pool, mark);
      for (const auto& each : seen) codes.add(each);
    } else {
      const auto branch_of = [&](std::uint32_t pair) {
        const std::uint32_t row = stored(pair);
        const std::uint8_t known = branches[bucket_of[row]];
        return known != ask_row ? known : codes(row);
      };
      out = move_one_by_one(node, arrays, branch_of,
                            [&](std::uint32_t row) { prefetch(bucket_of + stored(row)); });
    }
    if (split.bucket != none && !split.cuts.empty()) {
      split.below.assign(1, codes.below);
      split.above.assign(1, codes.above);
    }
  });
  return out;
}

std::vector<NodeRows> divide_in_two(const Problem& problem, const NodeRows& node, Split& split,
                                    const RowArrays& arrays, Pool* pool) {
  const EncodedTable& table = *problem.table;
  const EncodedColumn& column = table.columns[split.column];
  const BranchOfCode branch(column, split);
  if (column.bucketed()) return divide_bucketed(problem, node, split, branch, arrays, pool);
  if (column.storage != Storage::entries) {
    if (!split.cuts.empty() && split.bucket != none) {
      split.below.assign(1, split.bucket);
      split.above.assign(1, split.next_bucket);
    }
    const auto branches = lane_branches(column, split, branch);
    if (!table.paired()) {
      const RowBytes bytes = table.aids->bytes.of(table, column.lane, node.size());
      return move_by_bytes(node, arrays, pool, {bytes, branches.data(), nullptr, nullptr});
    }
    const LaneView lane = lane_view(table, column.lane);
    return move_one_by_one(
        node, arrays, [&](std::uint32_t row) { return branches[lane[row]]; },
        [&](std::uint32_t row) { prefetch(lane.word(row)); });
  }
  std::vector<NodeRows> out;
  std::uint64_t below = 0, above = none;
  const bool cut = !split.cuts.empty();
  with_codes(table, column, [&](auto code_of) {
    out = move_one_by_one(
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
                             const RowArrays& arrays, Pool* pool) {
  if (split.arity == 2) return divide_in_two(problem, node, split, arrays, pool);
  const EncodedColumn& column = problem.table->columns[split.column];
  const BranchOfCode branch_of(column, split);
  std::vector<std::int32_t> branch(node.size());
  std::vector<std::vector<std::uint32_t>> sizes(node.classes.size(),
                                                std::vector<std::uint32_t>(split.arity, 0));
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < node.classes.size(); ++k)
      for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
        ++sizes[k][branch[i - node.begin] = branch_of(code_of(arrays.rows[i]))];
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
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i) {
      const std::uint32_t to = sizes[k][branch[i - node.begin]]++;
      arrays.moved_rows[to] = arrays.rows[i];
      if (arrays.weights) arrays.moved_weights[to] = arrays.weights[i];
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
