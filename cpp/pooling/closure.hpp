// The set of largest gain among those that hold with an item all that may not be smaller.
#pragma once

#include <span>
#include <vector>

#include "base/poll.hpp"
#include "pooling/isotonic.hpp"

namespace hardwood {

// Per item whether it is in the smallest such set: what is left reachable from gains after as much of them as
// possible has flowed along the pairs to losses (Picard 1976).
std::vector<char> best_closure(std::span<const double> gain, std::span<const InOrder> pairs, const Poll& poll);

}  // namespace hardwood
