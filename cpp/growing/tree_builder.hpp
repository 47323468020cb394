// Turns committed leaves and splits into the tree's arrays, in the user's values.
#pragma once

#include "data/input.hpp"
#include "growing/leaf.hpp"
#include "tree/tree.hpp"

namespace hardwood {

class TreeBuilder {
 public:
  explicit TreeBuilder(int classes) { tree_.classes = classes; }

  // Adds a leaf and returns its number.
  std::int32_t add_leaf(std::int32_t parent, const Leaf& leaf);

  // Makes a leaf an inner node whose branches are the next leaves added; its thresholds are still open.
  void split(std::int32_t node, const Split& split, ColumnKind kind);

  Tree take() { return std::move(tree_); }

 private:
  Tree tree_;
};

}  // namespace hardwood
