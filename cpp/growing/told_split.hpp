// A split that was decided beforehand, at the rows of a node.
#pragma once

#include <optional>

#include "data/problem.hpp"
#include "growing/draft.hpp"
#include "growing/told_sums.hpp"
#include "search/rules.hpp"

namespace hardwood {

// The told split with its class weights and cost; not found where a branch would have no rows, or an interval
// between thresholds no row with a value. Missing values take the told branch, or that where they cost least,
// the first on a tie. A split that monotone constraints do not admit has the cost `impossible`.
Split told_split(const Problem& problem, const NodeRows& node, const std::uint32_t* rows,
                 const NodeTotals& totals, const Instruction& told);

// The same from sums; `split` has the cuts.
Split told_split(const ToldSums& sums, Split split, const NodeTotals& totals, const Instruction& told);

// Begins a told split: its arity, its thresholds and their cuts, which cut_at tells; none where all values of
// the column are above. False where two cuts are the same.
template <class CutAt>
bool set_told_cuts(const Instruction& told, Split& split, CutAt cut_at) {
  split.arity = told.arity;
  split.given = told.thresholds;
  for (const Threshold& threshold : told.thresholds) {
    const std::optional<std::uint64_t> cut = cut_at(threshold);
    if (!cut || (!split.cuts.empty() && *cut <= split.cuts.back())) return false;
    split.cuts.push_back(*cut);
  }
  return true;
}
// In the codes of a column.
bool set_told_cuts(const EncodedColumn& column, const Instruction& told, Split& split);

}  // namespace hardwood
