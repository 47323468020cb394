// Which leaves of a tree follow each other as the value of a column rises and nothing else changes.
//
// Along a line on which one column alone changes, every row reaches one leaf. Two leaves *meet* in a column if
// some such line passes from the one into the other. If numbers of all leaves that meet are in order, those of
// any two rows on a line are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/poll.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// Pairs of leaves (nodes): of lower values, and of higher. Many have the same lower leaf one after the other:
//
//   runs   {below, column, begin}  {below, column, begin}  ...
//   above   a a a a a a a a a a     a a a a a ...
struct Meetings {
  struct Run {
    std::int32_t below, column;
    std::size_t begin;  // in `above`
  };
  std::vector<Run> runs;
  std::vector<std::int32_t> above;

  void add(std::int32_t low, std::int32_t high, std::int32_t column) {
    if (runs.empty() || runs.back().below != low || runs.back().column != column)
      runs.push_back({low, column, above.size()});
    above.push_back(high);
  }
  std::size_t end(std::size_t run) const { return run + 1 < runs.size() ? runs[run + 1].begin : above.size(); }
};

// Of a tree of splits in two, in a fixed order. rank: per node the place of its cut among those of its column,
// -1 without one. constrained: per column, not 0 where its leaves are asked for.
Meetings meeting_leaves(const TreeView& tree, std::span<const std::int32_t> rank,
                        std::span<const std::uint8_t> constrained, const Poll& poll);

}  // namespace hardwood
