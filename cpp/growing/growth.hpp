// What growth leaves behind.
#pragma once

#include <cstdint>
#include <vector>

#include "growing/draft.hpp"
#include "search/constraint.hpp"
#include "search/split.hpp"
#include "tree/tree.hpp"

namespace hardwood {

// Of the examples that reach a leaf with a class: [node][class] how many have weight,
// [node][class][whether it is their own] what they weigh. An example's weight is that of its pairs.
struct PairSums {
  std::vector<std::int64_t> rows, weights;
};

struct Growth {
  Tree tree;
  std::vector<std::int32_t> split_nodes;  // in growth order
  std::vector<Split> splits;              // likewise
  std::vector<std::uint8_t> exact;        // likewise: no rule of thumb took part in the search
  std::vector<double> potential;          // of the tree before any split, then after each; integer units
  std::vector<double> error;              // likewise
  std::vector<Interval> intervals;        // per node, where a score is constrained: what its leaves may say
  std::vector<std::int32_t> told;         // per node: its instruction, where that was followed; else -1
  std::vector<std::uint8_t> outcome;      // of every instruction of the draft
  std::int64_t assessments = 0;           // rows x columns that the search asked for
  std::int64_t searched_rows = 0;         // of the nodes where a split was sought
  // Over the columns and nodes that were searched: the rows in opened buckets, if a row has the mean weight of
  // its node. Rows in memory alone.
  std::uint64_t opened_rows = 0;
  PairSums pairs;  // where rows are pairs of an example and a class
};

}  // namespace hardwood
