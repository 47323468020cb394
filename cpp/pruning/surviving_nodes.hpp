// The surviving nodes of a tree that is being pruned: what each asks, and where its split sends unseen values.
//
// A *surviving node* is a node of the grown tree that pruning has kept so far; surviving nodes keep their
// numbers. What a surviving node asks is the split of a node: its own, or after raising that of a node below
// it. Children of a surviving node are the children of the node whose split it asks.
//
//     node         0          split[0] = 0          0   split[0] = 2: branch 2 was raised,
//                1   2        split[2] = 2        3   4  1 and 2 are gone
//                   3 4
//
// No rows and no weights: wherever rows are, the same changes give the same surviving nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "pruning/unseen_routes.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

constexpr std::int32_t no_split = -1;   // the node is a leaf
constexpr std::int32_t gone_node = -2;  // the node is gone

class SurvivingNodes {
 public:
  // Every node survives at first. The tree must outlive this.
  SurvivingNodes(const TreeView& tree, const std::uint8_t* missing_seen);

  std::size_t nodes() const { return tree_.nodes; }
  bool is_gone(std::int32_t node) const { return split_[node] == gone_node; }
  bool is_leaf(std::int32_t node) const { return split_[node] == no_split; }
  std::int32_t split(std::int32_t node) const { return split_[node]; }
  std::int32_t parent(std::int32_t node) const { return parent_[node]; }
  std::int32_t first_child(std::int32_t node) const { return tree_.first_child[split_[node]]; }
  std::int32_t arity(std::int32_t node) const { return tree_.branches[split_[node]]; }
  // The node that asks a split.
  std::int32_t asking(std::int32_t split) const { return parent_[tree_.first_child[split]]; }
  // All surviving nodes below, the node itself first.
  std::vector<std::int32_t> from(std::int32_t node) const;
  // Leaves of the node's branches but one.
  std::vector<std::int32_t> lighter_leaves(std::int32_t node, std::int32_t heaviest) const;

  const std::vector<std::int32_t>& splits() const { return split_; }
  const std::vector<UnseenRoutes>& unseen_routes() const { return unseen_routes_; }
  // Before anything is raised: for each node of the grown tree the surviving node that has its rows.
  std::vector<std::int32_t> where_rows_are() const;

  // The node becomes a leaf; returns the leaves that were below.
  std::vector<std::int32_t> make_leaf(std::int32_t node);
  // The heaviest branch's split is asked at the node, and the lighter branches are gone. What their rows
  // met on the heaviest branch's routes is known there from now on.
  void raise(std::int32_t node, std::int32_t heaviest, const Met& met);
  // The branch that takes what a split never saw: new categories, and missing values if it saw none.
  void set_default(std::int32_t split, std::int32_t branch);
  // The same where missing values are divided, so that no branch is theirs.
  void set_default_of_pieces(std::int32_t split, std::int32_t branch);

 private:
  TreeView tree_;
  std::vector<std::int32_t> split_, parent_;
  std::vector<UnseenRoutes> unseen_routes_;
};

}  // namespace hardwood
