// A node's examples divided among the branches of a split.
//
// An example with a value goes down its branch. One whose value is missing goes down every branch j with the
// piece floor(w |a_j| / |a|) of its weight w, |a_j| the weight of the examples with a value in the branch, |a|
// at the node; what is left of w goes to the heaviest branch, the first on a tie. A piece of weight 0
// vanishes. So the branches' weights add up to the node's, class by class. The split knows |a_j|, so what
// becomes of an example does not depend on where the others are.
#pragma once

#include <cstdint>
#include <vector>

#include "data/items.hpp"
#include "search/split.hpp"

namespace hardwood {

constexpr std::int32_t every_branch = -1;

// `branch` has the branch of each item, or every_branch.
std::vector<Items> share_out(const Items& items, const std::vector<std::int32_t>& branch, const Split& split);

// Notes in the split the values beside each cut of a numeric column.
std::vector<Items> divide(const Problem& problem, const Items& items, Split& split);

}  // namespace hardwood
