// Sending a node's rows down a split.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pool.hpp"
#include "data/problem.hpp"
#include "search/split.hpp"
#include "tree/threshold.hpp"

namespace hardwood {

// Puts the rows of each branch one after the other, by class and in order, into the moved half of the arrays;
// the node's own are left as they are. Only the node's range is used. Large nodes are shared out over the pool,
// if there is one. Rows with a category that the split was not made
// from go to the default branch, missing values too where the split saw none. Of a bucketed column whose
// split names two buckets, the values beside the cut are noted in the split.
std::vector<NodeRows> divide(const Problem& problem, const NodeRows& node, Split& split,
                             const RowArrays& arrays, Pool* pool = nullptr);

// The split for rows that it was not made from: their values may lie between the two that the threshold
// separates, so a cut becomes the last code that is not above the threshold.
Split by_thresholds(const EncodedColumn& column, const Split& made, const double* thresholds,
                    const std::int64_t* integer_thresholds);

// Between two codes of a column.
inline Threshold threshold_of_codes(const EncodedColumn& column, std::uint64_t below, std::uint64_t above) {
  if (column.kind == ColumnKind::numeric)
    return threshold_between(column.codebook[below], column.codebook[above], column.whole);
  return integer_threshold_between(column.wide_codebook[below], column.wide_codebook[above],
                                   column.kind == ColumnKind::integer);
}

}  // namespace hardwood
