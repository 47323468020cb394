// A finished tree in the codes that all parts share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "distributed/team.hpp"
#include "tree/threshold.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// A threshold as a key (bucketed columns) or as the last code that is not above it; none where all are.
std::optional<std::uint64_t> cut_at(const ColumnPlan& column, const Threshold& threshold);

// Its splits, an entry per node; leaves have no children.
SplitBatch splits_of_tree(const TreeView& tree, const TablePlan& plan);

// The cuts of its thresholds, `count` in all.
std::vector<std::uint64_t> cuts_of_tree(const TreeView& tree, std::size_t count, const TablePlan& plan);

}  // namespace hardwood
