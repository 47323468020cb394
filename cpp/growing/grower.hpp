// Top-down growth (Kearns & Mansour 1996, Fig. 1): the leaf with the largest drop, or the heaviest, is
// split next, until the budget is used up or no leaf has an admissible split.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/poll.hpp"
#include "growing/growth_rules.hpp"
#include "growing/row_store.hpp"
#include "tree/tree.hpp"

namespace hardwood {

struct Growth {
  Tree tree;
  std::vector<Split> splits;              // by node; not found for leaves
  std::vector<std::int32_t> split_nodes;  // in growth order
  std::vector<std::uint8_t> exact;        // likewise: no rule of thumb took part in the search
  std::vector<double> potential;          // of the tree before any split, then after each; integer units
  std::vector<double> error;              // likewise
  std::int64_t assessments = 0;           // rows x columns that the search asked for
  std::int64_t searched_rows = 0;         // of the nodes where a split was sought
};

// `each_split` is told the number of leaves after every split.
Growth grow(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll,
            const std::function<void(std::int64_t)>& each_split = {});

// The same in two steps: a growth whose row counts and thresholds are open, to be completed by the same store.
Growth grow_open(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll);
void complete(RowStore& store, Growth& growth, std::span<Leaf* const> frontier = {});

}  // namespace hardwood
