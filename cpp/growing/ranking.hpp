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

// A node whose rows stand by class in `rows`; root_weight: of the whole tree.
struct RankedNode {
  const Problem& problem;
  const NodeRows& node;
  const std::vector<std::uint32_t>& rows;
  double root_weight;
};

// The best admissible split of every column that has one, in the order of candidates. With `all`, every
// admissible threshold of the numeric columns. At most `most`.
std::vector<RankedSplit> ranked_splits(const RankedNode& node, const GrowthRules& rules, std::size_t most,
                                       bool all, Pool& pool);

// The totals of a node as the rules see them.
NodeTotals totals_of(const RankedNode& node, const GrowthRules& rules);

}  // namespace hardwood
