// What the points of a box cost at least, if they are to have an answer.
//
// Nothing in a box costs less than its nearest point, the cheapest cell of every column. If that point does not
// have the answer, a Lagrangian bound is found. A column's cost is shared out among the trees that ask about it
// (the shares of a column add up to 1), and for every multiplier m >= 0
//
//   cost >= sum_j cost_j(nearest) + sum_t min over reachable leaves l of (extra_t(l) - m gain_t(l))
//
// where gain is what a leaf adds to the lead of the wanted class over one other class, which must not be
// negative in all (answer_rule.hpp has what costs make of it), and extra_t(l) is the tree's share of what its
// columns cost beyond the nearest point to reach l. The best m lies where two lines cross. Any shares give a
// true bound; they are moved, a little with each box, towards the trees whose chosen leaves move the column,
// which raises the bound.
#pragma once

#include <vector>

#include "explain/answer_rule.hpp"
#include "explain/ranked_cells.hpp"

namespace hardwood {

class BoxBound {
 public:
  using Point = std::vector<std::int32_t>;  // a rank per column
  // A leaf that some point of the box reaches; `at`: its conditions in `beyond_`.
  struct Reached {
    std::int32_t leaf;
    std::size_t at;
    double extra, gain;
  };

  BoxBound(const CellForest& forest, const RankedCells& cells, const AnswerRule& rule, std::int32_t target);

  // Finds the nearest point and the leaves that the box's points reach; false if the box is empty.
  bool reach(const std::vector<std::uint64_t>& box);
  const Point& nearest() const { return nearest_; }
  double base() const { return base_; }  // cost of the nearest point
  bool answered();                       // by the nearest point

  // The bound of the box that was reached last, shares having been moved `steps` times; infinite if no point of
  // the box can have the answer.
  double bound(int steps);
  // Of the bound's solution: a condition of one of its leaves, not met by the nearest point, to divide the box
  // by.
  std::int32_t dividing_condition() const;
  // The solution's leaf of a tree, and what it gains over the nearest point's.
  std::int32_t picked(std::size_t tree) const { return reached_[pick_[tree]].leaf; }
  double more(std::size_t tree) const { return reached_[pick_[tree]].gain - reached_[at_[tree]].gain; }

  // As prediction decides.
  bool answers(const Point& point);

 private:
  struct Line {
    double extra = 0, gain = 0;  // the bound at multiplier m: extra - m (gain + slack)
  };
  template <class Better>
  Line choose(Better better);
  double crossing_bound(Line few, Line many);
  void set_gains();
  void set_extras();
  void move_shares();
  void set_ranges(std::vector<double>& low, std::vector<double>& high) const;
  std::int32_t any_condition() const;

  const CellForest& forest_;
  const RankedCells& cells_;
  const AnswerRule& rule_;
  const std::int32_t target_;
  std::vector<std::int32_t> slot_;         // per condition: its tree and column
  std::vector<std::int32_t> slot_column_;  // per slot
  std::vector<double> share_;              // per slot
  std::vector<double> moved_;              // per slot: what the solution's leaf costs beyond the nearest point
  double step_ = 1;

  Point nearest_;
  double base_ = 0, slack_ = 0;
  std::vector<Reached> reached_;
  std::vector<double> beyond_;  // cost beyond the nearest point, condition by condition of the leaves reached
  std::vector<std::size_t> reached_begin_, at_, pick_;  // per tree; at_: the nearest point's leaf
  std::vector<double> scores_;
  Lead lead_;
};

}  // namespace hardwood
