// The cheapest change of one row with which a boosted model gives a wanted answer, by best-first branch and
// bound.
//
// A box allows some cells of every column; box_bound.hpp says what its points cost at least. The box of the
// least bound is divided by a condition of a leaf, until that bound is the cost of a row found. Invariant:
// nothing cheaper than `bound` has the answer, up to 1e-9 of the scores that the trees add; while `complete`,
// the result does not depend on time.
#pragma once

#include "base/poll.hpp"
#include "explain/answer_rule.hpp"
#include "explain/cell_forest.hpp"

namespace hardwood {

struct ChangeRequest {
  std::vector<double> cost;       // per cell; infinite: not allowed
  std::vector<std::int32_t> own;  // per column, the row's cell, counted within the column
  std::int32_t target = 0;        // class number
  double below = 0;               // changes that cost as much or more are of no interest
  double seconds = 0;             // that the search may take
  AnswerRule rule;                // how scores become answers
};

struct ChangeResult {
  bool found = false;
  bool complete = false;            // false: time ended, or memory
  double cost = 0, bound = 0;       // `cost` of the cells found; nothing costs less than `bound`
  std::vector<std::int32_t> cells;  // per column, counted within it
  std::int64_t boxes = 0;           // looked at
};

ChangeResult cheapest_change(const CellForest& forest, const ChangeRequest& request, const Poll& poll);

}  // namespace hardwood
