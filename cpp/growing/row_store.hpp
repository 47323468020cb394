// Where the rows of a growing tree are, and the few questions that the loop over leaves asks about them.
//
//   rows in memory        memory_store.hpp      a range of row numbers per leaf
//   fractional examples   fractional_store.hpp  a leaf owns its examples: a row may stand in many leaves
//   rows not in memory    distributed/parts_store.hpp parts of a table answer by sums
//
// All stores return the same splits for the same rows, so the tree does not depend on the store.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "data/input.hpp"
#include "growing/growth.hpp"
#include "growing/leaf.hpp"
#include "tree/threshold.hpp"

namespace hardwood {

// A leaf whose children are wanted; `more_to_come`: they may be split in turn. The best split of an open leaf
// is sought first, and its children are wanted only if its priority is `worth` it.
struct Expansion {
  Leaf* leaf;
  bool more_to_come;
  bool open = false;
  double worth = 0;
  double least_drop = 0;  // no split that drops less will be made any more
};

// How far ahead of their turn leaves are worth expanding.
struct Lookahead {
  std::int64_t splits = 1;                                // to come that are looked at
  std::int64_t leaves = 1;                                // expanded together
  double work = std::numeric_limits<double>::infinity();  // rows that may be looked at in vain
  std::int64_t least_rows = 0;  // a leaf of fewer is expanded when its turn comes, no earlier
};

// What is asked of the leaf whose turn it is: prices[k] of k branches, up to the widest acceptable.
struct MultiwayOffer {
  std::vector<double> prices;
  double min_drop = 0;
};

class RowStore {
 public:
  virtual ~RowStore() = default;

  // The leaf of all rows; its best split is sought where `search` is set and the rules allow a split.
  virtual LeafPtr root(bool search) = 0;

  // Begins to divide leaves and to find the best splits of their children. `wait` returns when a leaf of these
  // is expanded, or was open and is decided; meanwhile it asks for signals.
  virtual void expand(std::span<const Expansion> leaves) = 0;
  virtual void wait(Leaf& leaf) = 0;
  // Returns once no leaf is being expanded any more: growth is over, or given up, and the leaves will go.
  virtual void stop() {}
  virtual Lookahead lookahead(std::int64_t room, bool budget) const = 0;

  // The best function of three or more branches that a leaf offers; not found where there is none.
  virtual Split multiway(Leaf& leaf, const MultiwayOffer& offer) = 0;

  // A leaf has joined the tree as leaf.node.
  virtual void joined(const Leaf&) {}
  // Growth is over. Fills in what was still open of the tree's rows and of the splits; leaves in `frontier`
  // that were expanded ahead of a turn that never came are undone.
  virtual void finish(Growth& growth, std::span<Leaf* const> frontier) = 0;
  virtual Threshold threshold(std::uint32_t column, std::uint64_t below, std::uint64_t above) const = 0;
  virtual ColumnKind kind(std::uint32_t column) const = 0;
};

}  // namespace hardwood
