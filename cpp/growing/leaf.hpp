// A leaf of the growing tree: its rows, sums, histogram and best split.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "growing/partition.hpp"
#include "histogram/histogram.hpp"
#include "search/branching.hpp"
#include "search/candidate.hpp"
#include "search/rules.hpp"

namespace hardwood {

enum class LeafState { idle, expanding, expanded };

template <class Cell>
struct Leaf {
  NodeRows rows;
  NodeTotals totals;
  std::int32_t depth = 0;
  std::int32_t node = -1;  // number in the tree, given when the leaf joins it
  typename HistogramBuilder<Cell>::Buffer histogram;

  bool searched = false;
  std::int64_t assessments = 0;  // what its search asked for
  bool exact = true;             // no rule of thumb took part in the search
  Candidate split;
  Branching wide;       // instead of the split, where several branches are the better choice
  double drop = 0;      // of the split, in integer weight units
  double priority = 0;  // larger is split earlier

  // Filled by expansion, which may run ahead of the leaf's turn.
  std::atomic<LeafState> state{LeafState::idle};
  Division division;
  std::vector<std::unique_ptr<Leaf>> children;
};

}  // namespace hardwood
