// Small nodes whose rows the coordinator has fetched: what is below them is grown here, as from rows in memory.
//
// The rows are coded anew: a code stands for a code or key of the plan. Splits come out in the plan's terms, so
// that the parts can follow them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "distributed/row_batch.hpp"
#include "growing/growth_rules.hpp"

namespace hardwood {

// The nodes' leaves, as the coordinator knows them, in the order in which they were asked for.
struct GatheredNodes {
  const TablePlan& plan;
  const GrowthRules& rules;
  double root_weight;
  int classes;
  std::vector<const Leaf*> leaves;
};

// In the place of each leaf one that is grown to the end: its split is found, it and all below it are expanded
// as far as there are splits. Throws where the rows are not those of their nodes.
std::vector<LeafPtr> grow_gathered(const GatheredNodes& nodes, RowBatch rows, Pool& pool, const Poll& poll);

}  // namespace hardwood
