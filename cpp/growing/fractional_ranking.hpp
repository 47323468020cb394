// What the columns offer at a node of fractional examples (ranking.hpp says what is asked).
#pragma once

#include <vector>

#include "base/poll.hpp"
#include "growing/ranking.hpp"
#include "growing/told_pieces.hpp"

namespace hardwood {

// A node's examples, and the node as a leaf of a growing tree.
struct PiecesOfNode {
  Items items;
  LeafPtr leaf;

  // above: as RankedNode's.
  PiecesOfNode(const Problem& problem, Items own, double root_weight, const std::vector<SplitAbove>& above,
               const GrowthRules& rules);
};

std::vector<RankedSplit> ranked_pieces(const Problem& problem, const PiecesOfNode& node, double root_weight,
                                       const GrowthRules& rules, const RankingRequest& request, Pool& pool,
                                       const Poll& poll);

// What each branch gets of the node, per class present there, and the thresholds.
void complete_pieces(const Problem& problem, const PiecesOfNode& node, Split& split);

}  // namespace hardwood
