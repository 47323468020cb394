// Rows of a table -> the leaves of a tree that they reach.
#pragma once

#include <cstdint>
#include <span>

#include "base/pool.hpp"
#include "data/input.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// leaf[i] is the number of the leaf that row i reaches. inputs[f] is column f; columns that the tree does
// not use are not read; an infinite value that decides a row's way is an InfiniteValue. Category codes:
// -1 missing, other negative ones not known to the model.
void find_leaves(const TreeView& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                 std::int32_t* leaf, Pool& pool);

// A tree with fractional examples: missing values go down every branch, to node n with share[n]. Row i's class
// shares, out[i * classes + c], are those of the leaves it reaches (shares[n * classes + c] of leaf n) times
// its parts there. leaf[i] is the one leaf of a row that misses nothing the tree asks for, -1 for the others.
struct FractionalTree {
  TreeView tree;
  const double* share;
  const double* shares;
  std::size_t classes;
};
void combine_shares(const FractionalTree& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                    std::int32_t* leaf, double* out, Pool& pool);

}  // namespace hardwood
