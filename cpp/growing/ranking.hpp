// What the columns offer at one node: the best split of each, or all thresholds. Where splits may have several
// branches, the best of a column is that of largest gain over price, as if the node were split next.
#pragma once

#include <functional>
#include <vector>

#include "base/pool.hpp"
#include "data/problem.hpp"
#include "growing/growth_rules.hpp"
#include "growing/row_store.hpp"

namespace hardwood {

// A split above a node, and the branch by which the node is reached.
struct SplitAbove {
  std::uint32_t column = none;
  std::int32_t branch = 0;
  bool parts_values = false;    // by a threshold
  std::vector<double> weights;  // of all classes, branch by branch, in integer units
};

// A node whose rows stand by class in `rows`; root_weight: of the whole tree; above: from the root on, where
// there are constraints.
struct RankedNode {
  const Problem& problem;
  const NodeRows& node;
  const std::vector<std::uint32_t>& rows;
  double root_weight;
  const std::vector<SplitAbove>& above;
};

// What is asked. leaves: of the tree when the node is split, where splits may have several branches.
struct RankingRequest {
  std::size_t most = 0;
  bool all = false;  // every admissible threshold, and the best split in three or more of each column
  std::int64_t leaves = 1;
};

// The best admissible split of every column that has one, in the order of candidates. With `all`, every
// admissible threshold of the numeric columns. At most `most`.
std::vector<RankedSplit> ranked_splits(const RankedNode& node, const GrowthRules& rules,
                                       const RankingRequest& request, Pool& pool);

// What splits of the acceptable arities cost; no price of three where splits have two branches.
MultiwayOffer offer_at(const GrowthRules& rules, std::int64_t leaves);

// The node as a leaf of a growing tree: its totals, constraints and the columns that it may be split on.
LeafPtr leaf_of(const RankedNode& node, const GrowthRules& rules);
// The same from its sums, per class present; examples where they are counted (else negative).
LeafPtr leaf_of(const std::vector<SplitAbove>& above, std::size_t classes, double root_weight,
                const GrowthRules& rules, const std::function<void(const LeafRules&, Leaf&)>& set_sums);

}  // namespace hardwood
