// A split that was decided beforehand, at a node of fractional examples (docs/theory/rules.md#drafts).
#pragma once

#include <cstdint>
#include <vector>

#include "data/items.hpp"
#include "growing/draft.hpp"
#include "growing/told_sums.hpp"
#include "search/rules.hpp"

namespace hardwood {

// The told split with the weight that has a value in each branch and its cost; not found where a branch would
// have no example with a value. Missing values go down every branch, whatever the instruction says.
Split told_pieces(const Problem& problem, const Items& items, const NodeTotals& totals,
                  const Instruction& told);

// The same from sums; `split` has the cuts.
Split told_pieces(const ToldSums& sums, Split split, const NodeTotals& totals, const Instruction& told);

// A split above a node, and the branch by which the node is reached.
struct ToldAbove {
  Instruction split;
  std::int32_t branch = 0;
};

// All examples of the table. `rows` stand by class, as `root` says.
Items root_items(const Problem& problem, const NodeRows& root, const std::vector<std::uint32_t>& rows);

// The examples of the node that the splits lead to, from the root on; none where a split leaves a branch empty.
Items items_below(const Problem& problem, Items items, const std::vector<ToldAbove>& above);

}  // namespace hardwood
