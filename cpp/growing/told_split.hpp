// A split that was decided beforehand, at the rows of a node.
#pragma once

#include "data/problem.hpp"
#include "growing/draft.hpp"
#include "search/rules.hpp"

namespace hardwood {

// The told split with its class weights and cost; not found where a branch would have no rows. Categories that
// the instruction does not name join the heaviest branch of those that it names, and are listed there. Missing
// values take the told branch, or that where they cost least, the first on a tie. A split that monotone
// constraints do not admit has the cost `impossible`.
Split told_split(const Problem& problem, const NodeRows& node, const std::uint32_t* rows,
                 const NodeTotals& totals, const Instruction& told);

// The cuts of a told split of numbers, in the codes of the column; false where two of them are the same.
bool set_told_cuts(const EncodedColumn& column, const Instruction& told, Split& split);

}  // namespace hardwood
