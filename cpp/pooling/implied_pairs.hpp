// Pairs that others imply: with a <= b and b <= c, a <= c says nothing more.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/poll.hpp"
#include "pooling/isotonic.hpp"

namespace hardwood {

// The pairs without those that a way along others implies (the transitive reduction), which there is where
// pairs have no cycle; nothing where they have one.
std::vector<InOrder> without_implied(std::size_t items, std::span<const InOrder> pairs, const Poll& poll);

}  // namespace hardwood
