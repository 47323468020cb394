// A tree whose leaf n adds addend[n] to the score output[n].
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace hardwood {

// Only the arrays that routing reads need be there.
struct ScoredTree {
  Tree tree;
  std::vector<double> addend;
  std::vector<std::int32_t> output;
};

}  // namespace hardwood
