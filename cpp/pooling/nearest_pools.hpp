// Items (leaves, or pools of them) that share a number where numbers in order are nearest to the given ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pooling/isotonic.hpp"
#include "pooling/meeting_leaves.hpp"

namespace hardwood {

// Which meetings are asked about, and what their leaves are.
struct Ordering {
  const Meetings& meetings;
  std::span<const std::int8_t> sign;  // per column: 1, numbers may not fall as its values rise; -1, not rise; 0
  std::span<const std::int32_t> item;  // per leaf (node)
};

// The first pair of items that is out of order.
std::optional<InOrder> first_wrong(const Ordering& ordering, std::span<const double> value);

// Groups as those of `isotonic_groups`. Most pairs are in order anyway, so few are asked for: as long as some
// are not, the worst of each item are added, until what few pairs give is in order for all.
std::vector<std::int32_t> nearest_groups(const Ordering& ordering, std::span<const double> weight,
                                         std::span<const double> value, const Poll& poll);

}  // namespace hardwood
