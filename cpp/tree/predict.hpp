// Rows of a table -> the leaves they reach, or the scores that the leaves of many trees add up to.
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

// A tree whose leaf n adds addend[n] to output column output[n].
struct ScoredTree {
  TreeView tree;
  const double* addend;
  const std::int32_t* output;
};

// score[i * outputs + o], zero at the start; trees add in their order.
void add_scores(std::span<const ScoredTree> trees, std::span<const ColumnInput> inputs,
                std::size_t rows, std::size_t outputs, double* score, Pool& pool);

}  // namespace hardwood
