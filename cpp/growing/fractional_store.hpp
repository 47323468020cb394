// C4.5's fractional examples in memory: an example whose value is missing goes down every branch in pieces. A
// leaf owns its examples, since a row may stand in many leaves.
#pragma once

#include <vector>

#include "data/items.hpp"
#include "growing/growth_rules.hpp"
#include "growing/threaded_store.hpp"
#include "search/fractional/fractional_search.hpp"

namespace hardwood {

class FractionalStore : public ThreadedStore {
 public:
  // `rows` are the rows of positive weight, by class, as `root` describes them. Weights, not null, are to be
  // fine enough to be divided. The limits on branches are on the examples that have a value, a piece of one
  // counting as its fraction. The tree has `share`; assessments are not counted.
  FractionalStore(const Problem& problem, const GrowthRules& rules, const NodeRows& root,
                  const std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll);

  LeafPtr root(bool search) override;
  Split multiway(Leaf& leaf, const MultiwayOffer& offer) override;
  void finish(Growth&, std::span<Leaf* const>) override { stop(); }
  Threshold threshold(std::uint32_t column, std::uint64_t below, std::uint64_t above) const override;
  ColumnKind kind(std::uint32_t column) const override { return problem_.table->columns[column].kind; }

 protected:
  void expand_one(Leaf& leaf, bool more_to_come, double least_drop) override;

 private:
  struct FractionalLeaf : Leaf {
    Items items;
  };
  static FractionalLeaf& cast(Leaf& leaf) { return static_cast<FractionalLeaf&>(leaf); }

  std::unique_ptr<FractionalLeaf> make_leaf(Items items, std::int32_t depth, double share) const;
  Split search(FractionalLeaf& leaf) {
    return search_.run(leaf.items, leaf.totals, leaf_rules_.allowed(leaf), leaf.exact);
  }
  void follow(FractionalLeaf& leaf);
  void find_split(FractionalLeaf& leaf);

  const Problem& problem_;
  const GrowthRules& rules_;
  LeafRules leaf_rules_;
  const NodeRows& root_;
  const std::vector<std::uint32_t>& rows_;
  FractionalSearch search_;
};

}  // namespace hardwood
