// Raising in a tree of fractional examples: what dividing all pieces of a node anew, down its heaviest branch,
// brings to the surviving nodes there, and what follows. All pieces are divided, since the shares by which
// missing values are divided change with the rows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "pruning/error_based.hpp"

namespace hardwood {

// A surviving node when other pieces reach it.
struct NodeSpread {
  std::int32_t node;
  double share;
  std::vector<double> weights;  // per class
  std::int64_t rows;
};

struct PiecesTrial {
  std::vector<NodeSpread> spread;  // all surviving nodes from the heaviest branch on
  std::vector<std::pair<std::int32_t, std::int32_t>> heaviest_branch;  // of the splits there
};

// Settles the node, or raises the branch and has all that changed visited again.
Verdict decide(ErrorBasedPruning& pruning, Raising& raising, PiecesTrial& trial);

}  // namespace hardwood
