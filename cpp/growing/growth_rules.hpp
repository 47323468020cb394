// The rules of top-down growth, and what they say about one leaf.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/portable.hpp"
#include "growing/leaf.hpp"
#include "search/multiway/prices.hpp"
#include "search/published/race_rules.hpp"

namespace hardwood {

// A category that holds at least one in so many parts of a node is never rare there. Chosen with the default of
// min_category_size (benchmarks/RESULTS-tree-defaults.md).
constexpr double common_parts = 20;

enum class LeafChoice : std::uint8_t { drop, weight, number };

struct GrowthRules {
  Criterion criterion = Criterion::gini;
  LeafChoice leaf_choice = LeafChoice::drop;
  std::int64_t max_leaves = 0;  // 0: no limit
  std::int32_t max_depth = 0;   // 0: no limit
  double min_drop = 0;          // share of the root's weight
  BranchLimits limits;
  std::int64_t min_category_size = 1;          // in examples: smaller categories are rare
  std::int64_t examples = 0;                   // of the table, where categories can be rare
  Prices* prices = nullptr;                    // null: splits have two branches
  const std::vector<char>* allowed = nullptr;  // per column: may be split on; null: all
  // How rows in memory are searched; all but `histograms` need weights. Other stores have one search.
  enum class Search : std::uint8_t {
    histograms,  // every column on every row, a sibling by subtraction
    bounded,     // the same without the columns that the root's sums rule out
    pruned,      // the heaviest rows first (two classes, no limits on branches)
    race,        // as published, see column_race.hpp
  };
  Search search = Search::histograms;
  RaceRules race;
};

// Applied to leaves by every row store alike.
class LeafRules {
 public:
  explicit LeafRules(const GrowthRules& rules) : rules_(rules) {}

  // Class weights per label, in order; examples where they are counted (else negative).
  void set_totals(Leaf& leaf, std::vector<std::int32_t> labels, std::vector<double> weights,
                  double examples) const {
    NodeTotals& totals = leaf.totals;
    totals.criterion = rules_.criterion;
    totals.limits = rules_.limits;
    totals.classes = static_cast<int>(labels.size());
    totals.weight = 0;
    for (double weight : weights) totals.weight += weight;
    totals.rare_below = rare_below(totals.weight);
    totals.cost =
        with_criterion(rules_.criterion, [&]<Criterion K>() { return phi<K>(weights.data(), totals.classes); });
    totals.total = std::move(weights);
    if (examples >= 0) totals.total.push_back(examples);
    leaf.labels = std::move(labels);
  }

  void set_root(const Leaf& root) { root_weight_ = root.totals.weight; }
  double root_weight() const { return root_weight_; }

  bool may_split(const Leaf& leaf) const {
    const NodeTotals& totals = leaf.totals;
    if (totals.classes < 2) return false;
    if (rules_.max_depth && leaf.depth >= rules_.max_depth) return false;
    if (totals.weight < 2 * rules_.limits.min_weight) return false;
    const bool counted = totals.total.size() > static_cast<std::size_t>(totals.classes);
    return !counted || totals.total.back() >= 2 * rules_.limits.min_examples;
  }

  // What the search found becomes the leaf's split where its drop is large enough.
  void settle(Leaf& leaf, Split split) const {
    leaf.searched = true;
    if (split.found()) {
      leaf.drop = std::max(0.0, leaf.totals.cost - split.cost);
      if (!split.weights.empty()) split.set_default_branch();
      if (leaf.drop / root_weight_ >= rules_.min_drop) leaf.split = std::move(split);
      if (rules_.leaf_choice == LeafChoice::drop) leaf.priority = leaf.drop;
    }
    if (rules_.leaf_choice == LeafChoice::weight) leaf.priority = leaf.totals.cost;
  }

 private:
  // The least whole weight w that is min_category_size examples, w * examples >= size * weight of the root, or
  // the twentieth part of the node, if that is less.
  double rare_below(double weight) const {
    if (rules_.min_category_size <= 1 || rules_.examples <= 0) return 0;
    const auto root = static_cast<Wide>(root_weight_ > 0 ? root_weight_ : weight);
    const Wide size = (rules_.min_category_size * root + rules_.examples - 1) / rules_.examples;
    return std::min(static_cast<double>(size), std::ceil(weight / common_parts));
  }

  const GrowthRules& rules_;
  double root_weight_ = 0;
};

}  // namespace hardwood
