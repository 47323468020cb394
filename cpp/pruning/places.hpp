// The places of a tree that is being pruned: what each asks, and the habits of the splits.
//
// A *place* is a node of the grown tree that the pruned tree still has; places keep their numbers. What a
// place asks is the split of a node: its own, or after raising that of a node below it. Children of a place
// are the children of its split's node.
//
//     place        0          split[0] = 0          0   split[0] = 2: branch 2 was raised,
//                1   2        split[2] = 2        3   4  1 and 2 are no places any more
//                   3 4
//
// No rows and no weights: wherever rows are, the same changes give the same places.
#pragma once

#include <cstdint>
#include <vector>

#include "pruning/habits.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

constexpr std::int32_t no_split = -1;  // the place is a leaf
constexpr std::int32_t no_place = -2;  // the node is gone

class Places {
 public:
  // Every node is a place. The tree must outlive this.
  Places(const TreeView& tree, const std::uint8_t* missing_seen);

  std::size_t nodes() const { return tree_.nodes; }
  bool is_gone(std::int32_t place) const { return split_[place] == no_place; }
  bool is_leaf(std::int32_t place) const { return split_[place] == no_split; }
  std::int32_t split(std::int32_t place) const { return split_[place]; }
  std::int32_t parent(std::int32_t place) const { return parent_[place]; }
  std::int32_t first_child(std::int32_t place) const { return tree_.first_child[split_[place]]; }
  std::int32_t arity(std::int32_t place) const { return tree_.branches[split_[place]]; }
  // The place that asks a split.
  std::int32_t asking(std::int32_t split) const { return parent_[tree_.first_child[split]]; }
  // All places below, the place itself first.
  std::vector<std::int32_t> from(std::int32_t place) const;
  // Leaves of the place's branches but one.
  std::vector<std::int32_t> lighter_leaves(std::int32_t place, std::int32_t heaviest) const;

  const std::vector<std::int32_t>& splits() const { return split_; }
  const std::vector<Habits>& habits() const { return habits_; }
  // Before anything is raised: the place where the rows of each node are.
  std::vector<std::int32_t> homes() const;

  // The place becomes a leaf; returns the leaves that were below.
  std::vector<std::int32_t> make_leaf(std::int32_t place);
  // The heaviest branch's split is asked at the place, and the lighter branches are gone. What their rows
  // met on the heaviest branch's routes is known there from now on.
  void raise(std::int32_t place, std::int32_t heaviest, const Met& met);
  // The branch that takes what a split never saw: new categories, and missing values if it saw none.
  void set_default(std::int32_t split, std::int32_t branch);
  // The same where missing values are divided, so that no branch is theirs.
  void set_default_of_parts(std::int32_t split, std::int32_t branch);

 private:
  TreeView tree_;
  std::vector<std::int32_t> split_, parent_;
  std::vector<Habits> habits_;
};

}  // namespace hardwood
