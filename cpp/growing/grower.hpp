// Top-down growth (Kearns & Mansour 1996, Fig. 1): the leaf with the largest drop, or the heaviest, is
// split next, until the budget is used up or no leaf has an admissible split.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/poll.hpp"
#include "growing/growth.hpp"
#include "growing/growth_rules.hpp"
#include "growing/row_store.hpp"

namespace hardwood {

// `each_split` is told the number of leaves after every split.
Growth grow(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll,
            const std::function<void(std::int64_t)>& each_split = {});

// The same in two steps: a growth whose row counts and thresholds are open, to be completed by the same store.
Growth grow_open(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll);
void complete(RowStore& store, Growth& growth, std::span<Leaf* const> frontier = {});

}  // namespace hardwood
