// A finished tree in the codes that all parts share.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/team.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// Its splits, an entry per node; leaves have no children.
SplitBatch splits_of_tree(const TreeView& tree, const TablePlan& plan);

// Its thresholds as keys (bucketed columns) or as the last code that is not above them, `count` in all.
std::vector<std::uint64_t> cuts_of_tree(const TreeView& tree, std::size_t count, const TablePlan& plan);

}  // namespace hardwood
