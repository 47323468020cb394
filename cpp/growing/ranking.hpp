// What the columns offer at one node: the best split in two of each, or all thresholds.
#pragma once

#include <vector>

#include "base/pool.hpp"
#include "data/problem.hpp"
#include "growing/growth_rules.hpp"

namespace hardwood {

struct RankedSplit {
  Split split;
  bool exact = true;  // no rule of thumb took part in the search of the column
};

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

// The best admissible split of every column that has one, in the order of candidates. With `all`, every
// admissible threshold of the numeric columns. At most `most`.
std::vector<RankedSplit> ranked_splits(const RankedNode& node, const GrowthRules& rules, std::size_t most,
                                       bool all, Pool& pool);

// The node as a leaf of a growing tree: its totals, constraints and the columns that it may be split on.
LeafPtr leaf_of(const RankedNode& node, const GrowthRules& rules);

}  // namespace hardwood
