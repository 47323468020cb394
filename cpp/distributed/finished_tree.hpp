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

// A tree per class as one over pairs of a row and a class: the root, which sends a pair to the tree of its
// class, and then the nodes of all trees in turn. The plan's last column is the class.
SplitBatch splits_of_pairs(const std::vector<TreeView>& trees, const TablePlan& plan);

// The cuts of its thresholds, `count` in all.
std::vector<std::uint64_t> cuts_of_tree(const TreeView& tree, std::size_t count, const TablePlan& plan);

}  // namespace hardwood
