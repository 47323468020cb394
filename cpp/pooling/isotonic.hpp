// Numbers that are nearest to given ones among those that keep an order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/poll.hpp"

namespace hardwood {

// One of the items, and one whose number may not be smaller.
struct InOrder {
  std::int32_t lower, upper;
};

// The groups of items that share a number in the least-squares solution: the sum of weight x (number - value)²
// is least among numbers in order, and the number of a group is its weighted mean. Per item a group, counted
// from 0 in the order of first items. An item whose value can stay is a group of its own. Only gains beyond
// rounding (2^-40 of what is moved, 2^-50 of what there is) count, so a result may miss the order by as much.
std::vector<std::int32_t> isotonic_groups(std::span<const double> weight, std::span<const double> value,
                                          std::span<const InOrder> pairs, const Poll& poll);

// Per item the weighted mean of its group.
std::vector<double> means_of_groups(std::span<const double> weight, std::span<const double> value,
                                    std::span<const std::int32_t> group);

}  // namespace hardwood
