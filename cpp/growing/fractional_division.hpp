// A node's examples divided among the branches of a split.
//
// An example with a value goes down its branch. One whose value is missing goes down every branch j with the
// piece floor(w |a_j| / |a|) of its weight w, |a_j| the weight of the examples with a value in the branch, |a|
// at the node; what is left of w goes to the heaviest branch, the first on a tie. A piece of weight 0
// vanishes. So the branches' weights add up to the node's, class by class.
#pragma once

#include <cstdint>
#include <vector>

#include "data/items.hpp"
#include "search/split.hpp"

namespace hardwood {

struct FractionalDivision {
  std::vector<Items> branches;
  std::vector<double> share;  // |a_j| / |a|
};

// Notes in the split: the heaviest branch by |a_j| as default, whether missing values were seen, and the values
// beside each cut of a numeric column.
FractionalDivision divide(const Problem& problem, const Items& items, Split& split);

}  // namespace hardwood
