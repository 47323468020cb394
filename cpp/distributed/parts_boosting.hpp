// AdaBoost over parts: a row's factor lives with its part. A round: the parts round weight x factor to whole
// numbers, a tree grows, each leaf's factors travel back. The next round begins with the same round trip, on
// the grid that its weights will most likely have; where they turn out to have another, it begins again.
#pragma once

#include <memory>
#include <optional>

#include "boosting/boosting_store.hpp"
#include "distributed/finished_tree.hpp"
#include "distributed/parts_store.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// Which of the parts' boosters this is; target: its class against the rest, or -1.
struct PartsBooster {
  int number = 0, target = -1, classes = 2;
  bool logistic = false;
  bool counted = false;  // examples
  bool whole = true;     // weights
  std::int64_t rows = 0;
  int pairs = 0;  // rows are pairs of an example and one of so many classes; 0: they are not
};

class PartsBoosting : public BoostingStore {
 public:
  PartsBoosting(Team& team, const TablePlan& plan, const PartsBooster& booster)
      : team_(team), plan_(plan), booster_(booster) {}

  FactorTotals totals() override;
  bool whole() const override { return booster_.whole; }
  double exact_total() override;
  void scale(double by) override;
  void begin_round(int exponent, Trimming trimming, Pool& pool) override;
  double weight() const override { return static_cast<double>(weight_); }
  double seen_weight() const override { return seen_weight_; }
  Growth grow(GrowthRules rules, Search search, Pool& pool, const Poll& poll) override;
  std::size_t columns() const override { return plan_.columns.size(); }
  std::uint32_t few_values(std::size_t column) const override {
    const ColumnPlan& plan = plan_.columns[column];
    if (plan.bucketed()) return 0;
    return plan.coding == PartCoding::coded ? plan.values() : 1;
  }
  std::vector<std::int64_t> route_unseen(Growth& growth) override;
  void multiply(Growth& growth, const std::vector<LeafFactors>& by_node, bool more, Pool& pool) override;
  void complete(Growth& growth) override;
  // By a tree of an earlier fit: all rows go down it.
  void multiply(const TreeView& tree, const std::vector<LeafFactors>& by_node) {
    multiply(splits_of_tree(tree, plan_), by_node);
  }
  // The same with pairs, each going down the tree of its class. The nodes are those of `splits_of_pairs`.
  void multiply(const std::vector<TreeView>& trees, const std::vector<LeafFactors>& by_node) {
    multiply(splits_of_pairs(trees, plan_), by_node);
  }

 private:
  void multiply(SplitBatch tree, const std::vector<LeafFactors>& by_node);
  SumPairs pairs_of(const Growth& growth) const;
  void take_pairs(const EventAnswer& answer, Growth& growth) const;
  std::int64_t least_weight(double weight_fraction);
  std::vector<Request> root_requests() const;
  void take_root(const TeamAnswer& answer, std::size_t first_request);
  int likely_exponent(const Growth& growth, const std::vector<LeafFactors>& by_node) const;

  Team& team_;
  const TablePlan& plan_;
  PartsBooster booster_;
  std::vector<Event> waiting_;  // events that travel with the next question
  std::optional<FactorTotals> totals_;
  int exponent_ = 0;          // of the round
  bool all_seen_ = true;      // no row is hidden from trees
  std::optional<int> begun_;  // the exponent of a round that the parts have begun ahead of its turn
  std::int64_t weight_ = 0;
  double seen_weight_ = 0;
  std::int64_t seen_rows_ = 0;
  PartsRoot root_;
  GrowthRules rules_;  // of the tree that was grown last, which the store refers to
  std::unique_ptr<PartsStore> store_;
};

}  // namespace hardwood
