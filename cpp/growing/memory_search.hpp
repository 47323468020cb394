// The best split of a leaf whose rows are in memory, by the search that the rules ask for.
#pragma once

#include <optional>

#include "base/pool.hpp"
#include "growing/growth_rules.hpp"
#include "growing/memory_leaf.hpp"
#include "growing/row_store.hpp"
#include "search/binary/side_weights.hpp"

namespace hardwood {

// Of one tree. Leaves may be searched by several threads at once.
template <class Cell>
class MemorySearch {
 public:
  using Leaf = MemoryLeaf<Cell>;

  MemorySearch(Workspace<Cell>& workspace, const GrowthRules& rules, const LeafRules& leaf_rules, Pool& pool);

  // Finds the leaf's best split, or leaves it open, and keeps its histogram only where it will be used. A split
  // that drops less than `least_drop` need not be found.
  void find_split(Leaf& leaf, double least_drop);
  // Of a leaf that was left open.
  void decide(Leaf& leaf, double least_drop);
  // A leaf that is as good as searched: no split of it drops enough.
  void note_searched(Leaf& leaf) const;
  // One that is not searched because it has one class: what the published search would have asked.
  void count_pure(Leaf& leaf);
  Split multiway(Leaf& leaf, const MultiwayOffer& offer);

  bool by_histograms() const {
    return rules_.search == GrowthRules::Search::histograms || rules_.search == GrowthRules::Search::bounded;
  }
  NodeView<Cell> view_of(Leaf& leaf) const;

 private:
  Split search_rows(Leaf& leaf);
  std::optional<Split> search(Leaf& leaf, double least_drop);
  std::int64_t levels_below(const Leaf& leaf) const;
  void follow(Leaf& leaf);

  Workspace<Cell>& workspace_;
  HistogramBuilder<Cell>& builder_;
  const Problem& problem_;
  const GrowthRules& rules_;
  const LeafRules& leaf_rules_;
  Pool& pool_;
  std::int64_t columns_ = 0;  // that the tree may use
  SideWeights sides_;         // set by the root's search, then only read
};

extern template class MemorySearch<std::uint32_t>;
extern template class MemorySearch<std::int64_t>;

}  // namespace hardwood
