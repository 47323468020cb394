// Top-down growth with C4.5's fractional examples: an example whose value is missing goes down every branch
// in parts. The loop is that of grower.hpp; a leaf owns its examples, since a row may stand in many leaves.
#pragma once

#include "data/items.hpp"
#include "growing/grower.hpp"

namespace hardwood {

// `rows` are the rows of positive weight, by class, as NodeRows `root` describes them. Weights, not null, are
// to be fine enough to be parted. The limits on branches are on the examples that have a value, of which a
// part counts as a part. The tree has `share`. Of the growth, `node_rows` and `splits` stay empty, and
// assessments are not counted. `potential` and `error` are of the parts as they lie in the leaves.
Growth grow_fractional(const Problem& problem, const GrowthRules& rules, const NodeRows& root,
                       const std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll);

}  // namespace hardwood
