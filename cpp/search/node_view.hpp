// A node while its best split is sought.
#pragma once

#include <cstdint>
#include <vector>

#include "data/problem.hpp"
#include "histogram/histogram.hpp"
#include "search/rules.hpp"

namespace hardwood {

class BucketOrder;
class RowBits;
template <class Cell>
class KeptSlices;

template <class Cell>
struct NodeView {
  const Problem& problem;
  const HistogramLayout& layout;
  const NodeRows& node;
  const std::uint32_t* rows;
  const Cell* cells;  // the node's histogram
  const NodeTotals& totals;
  std::vector<std::size_t> channel_offset;  // in cells, of the classes present and of examples
  const std::int64_t* weights = nullptr;    // in the places of the rows, where they are carried along
  BucketOrder* order = nullptr;             // null: nothing is remembered of earlier rounds
  KeptSlices<Cell>* kept = nullptr;         // null: sums by slices are not kept
  const RowBits* bits = nullptr;            // of the node's rows; null: not known

  int channels() const { return static_cast<int>(channel_offset.size()); }
  const Cell* lane(std::uint32_t l) const { return cells + layout.offset[l]; }
  const Cell* flag(std::uint32_t f) const { return cells + layout.flag_offset + f; }
  double examples(std::uint32_t row) const {
    return problem.examples ? static_cast<double>(problem.examples[row]) : 0.0;
  }
};

// visit(row, channel) for the rows of a node.
template <class Cell, class Visit>
void for_each_row(const NodeView<Cell>& view, Visit visit) {
  std::uint32_t channel = 0;
  for (const ClassRows& part : view.node.classes) {
    for (std::uint32_t i = part.begin; i < part.end; ++i) visit(view.rows[i], channel);
    ++channel;
  }
}

}  // namespace hardwood
