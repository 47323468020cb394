// Which leaves of a tree follow each other as the value of a column rises and nothing else changes.
//
// Along a line on which one column alone changes, every row reaches one leaf. Two leaves *meet* in a column if
// some such line passes from the one into the other. If numbers of all leaves that meet are in order, those of
// any two rows on a line are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree_view.hpp"

namespace hardwood {

struct Meetings {
  // Nodes: the leaf of the lower values, and of the higher.
  std::vector<std::int32_t> below, above;
  std::vector<std::int32_t> column;
};

// Of a tree of splits in two, in a fixed order. rank: per node the place of its cut among those of its column,
// -1 without one. constrained: per column, not 0 where its leaves are asked for.
Meetings meeting_leaves(const TreeView& tree, std::span<const std::int32_t> rank,
                        std::span<const std::uint8_t> constrained);

}  // namespace hardwood
