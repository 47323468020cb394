// A table of (example, class) pairs. Nothing is repeated: the codes stay those of the examples, and the class
// is computed from the number of the pair.
//
//   pair p      example p / classes with class p % classes
//   column K    the class, numeric, the last column; its lane is the first of a tile that has a word per class
#pragma once

#include <algorithm>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/problem.hpp"

namespace hardwood {

// From then on the rows of the table are pairs. At most `lane_codes` classes; a table that has them is left
// alone.
void make_pairs(EncodedTable& table, int classes);

// Throws unless so many rows can be paired with so many classes.
void check_pairs(std::size_t rows, int classes);

// Row by row, or once for each of a row's pairs.
template <class T>
std::vector<T> repeated(const T* values, std::size_t rows, int pairs) {
  const std::size_t times = std::max(pairs, 1);
  std::vector<T> out(rows * times);
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = values[p / times];
  return out;
}

// The pairs of a node, added up row by row: all columns but the class have the codes of the row, so that its
// pairs need not be looked at one by one. Numbers of stored rows, by class, with the sums in their places.
struct MergedPairs {
  NodeRows by_class;
  std::vector<std::uint32_t> rows;
  std::vector<std::int64_t> weights, examples;  // examples: empty where they are not counted
};

// `pairs` is the list that the node owns a range of; a row's pairs stand side by side in it.
MergedPairs merge_pairs(const NodeRows& node, const std::uint32_t* pairs, StoredRow stored,
                        const std::int64_t* weights, const std::int64_t* examples);

}  // namespace hardwood
