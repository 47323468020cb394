// Top-down growth (Kearns & Mansour 1996, Fig. 1): the leaf with the largest drop, or the heaviest, is
// split next, until the budget is used up or no leaf has an admissible split.
#pragma once

#include <cstdint>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/problem.hpp"
#include "search/rules.hpp"
#include "tree/tree.hpp"

namespace hardwood {

enum class LeafChoice : std::uint8_t { drop, weight };

struct GrowthRules {
  LeafChoice leaf_choice = LeafChoice::drop;
  std::int64_t max_leaves = 0;  // 0: no limit
  std::int32_t max_depth = 0;   // 0: no limit
  double min_drop = 0;          // share of the root's weight
  BranchLimits limits;
};

struct Growth {
  Tree tree;
  std::vector<std::int32_t> split_nodes;   // in growth order
  std::vector<double> potential;           // of the tree before any split, then after each; integer units
  std::vector<double> error;               // likewise
};

// `rows` are the rows of positive weight, by class and ascending, as NodeRows `root` describes them.
Growth grow(const Problem& problem, const GrowthRules& rules, const NodeRows& root,
            std::vector<std::uint32_t> rows, Pool& pool, const Poll& poll);

}  // namespace hardwood
