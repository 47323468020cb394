// A leaf whose rows are in memory.
#pragma once

#include <memory>

#include "data/problem.hpp"
#include "data/row_bits.hpp"
#include "growing/leaf.hpp"
#include "growing/workspace.hpp"

namespace hardwood {

template <class Cell>
struct MemoryLeaf : Leaf {
  NodeRows own;
  RowArrays arrays;               // with its rows in them, and room for its branches
  std::unique_ptr<RowBits> bits;  // of its rows, where they pay
  typename HistogramBuilder<Cell>::Buffer histogram;
  KeptSlices<Cell> kept;
  // Of an open leaf: what was noted of its columns, and the best split outside their buckets.
  std::unique_ptr<BucketNotes> notes;
  Split so_far;
};

}  // namespace hardwood
