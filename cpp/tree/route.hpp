// Rows of a table -> the leaves they reach.
#pragma once

#include <cstdint>
#include <span>

#include "base/pool.hpp"
#include "data/input.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// leaf[i] is the number of the leaf that row i reaches. inputs[f] is column f; columns that the tree does
// not use are not read; an infinite value that decides a row's way is an InfiniteValue. Category codes: -1 missing, other negative ones not known to the model.
void find_leaves(const TreeView& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                 std::int32_t* leaf, Pool& pool);

}  // namespace hardwood
