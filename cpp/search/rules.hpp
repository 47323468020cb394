// What makes a candidate admissible at a node: a positive drop, decided in integers, and the stop rules
// that concern both branches.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "base/portable.hpp"
#include "criteria/criterion.hpp"
#include "search/constraint.hpp"
#include "search/cut_draw.hpp"
#include "search/split.hpp"

namespace hardwood {

// Limits that hold for each branch, and which cuts are looked at.
struct BranchLimits {
  double min_weight = 0;    // in integer weight units
  double min_examples = 0;  // 0: examples are not counted apart from the weights
  CutDraw draw;
  bool on_branches() const { return min_weight > 0 || min_examples > 0; }
  bool any() const { return on_branches() || draw.any(); }
};

// A leaf as the search sees it: totals of the channels (classes present, then examples when counted).
struct NodeTotals {
  Criterion criterion = Criterion::gini;
  int classes = 0;            // present ones
  std::vector<double> total;  // per channel
  double weight = 0;
  double cost = 0;  // phi of the node
  BranchLimits limits;
  double rare_below = 0;                             // lighter categories are rare (pooling.hpp)
  std::shared_ptr<const NodeConstraint> constraint;  // null: none

  // Whether a split may be inadmissible although it lowers the cost, whatever its column.
  bool limited() const { return limits.on_branches() || (constraint && constraint->binds()); }

  // weight_of(channel) is the branch's weight.
  template <class WeightOf>
  bool branch_within_limits(WeightOf weight_of) const {
    double sum = 0;
    for (int c = 0; c < classes; ++c) sum += weight_of(c);
    return sum >= limits.min_weight && (limits.min_examples <= 0 || weight_of(classes) >= limits.min_examples);
  }

  // left_of(channel) is the left branch's weight.
  template <class LeftOf>
  bool within_limits(LeftOf left_of) const {
    double left = 0;
    for (int c = 0; c < classes; ++c) left += left_of(c);
    if (left < limits.min_weight || weight - left < limits.min_weight) return false;
    if (limits.min_examples <= 0) return true;
    const double examples = left_of(classes);
    return examples >= limits.min_examples && total[classes] - examples >= limits.min_examples;
  }

  // km, gini, entropy: positive exactly when the branches' class vectors are not proportional to the
  // node's (strict concavity), decided in 128-bit integers; error: both costs are exact.
  // A stump is taken whatever its drop, but both its branches have rows.
  template <class LeftOf>
  bool positive_drop(LeftOf left_of, double split_cost) const {
    if (criterion == Criterion::error) return split_cost < cost;
    double left = 0;
    for (int c = 0; c < classes; ++c) left += left_of(c);
    if (criterion == Criterion::stump) return left > 0 && left < weight;
    for (int c = 0; c < classes; ++c)
      if (static_cast<Wide>(left_of(c)) * static_cast<Wide>(weight) !=
          static_cast<Wide>(total[c]) * static_cast<Wide>(left))
        return true;
    return false;
  }

  // Class weights of a split in two.
  template <class LeftOf>
  void set_weights(Split& split, LeftOf left_of) const {
    split.weights.resize(2 * static_cast<std::size_t>(classes));
    for (int c = 0; c < classes; ++c) {
      split.weights[c] = left_of(c);
      split.weights[classes + c] = total[c] - left_of(c);
    }
  }

  template <class LeftOf>
  bool admissible(LeftOf left_of, double split_cost) const {
    const bool sure = criterion != Criterion::stump && split_cost < cost * surely_below;
    if (!sure && !positive_drop(left_of, split_cost)) return false;
    return !limits.on_branches() || within_limits(left_of);
  }

  // What an admissible split in two costs, infinity of any other. `column` is `none` where the branches do not
  // part by the order of the column's values. Of what is dearer than `limit` no more is asked.
  template <class LeftOf>
  double cost_of(std::uint32_t column, LeftOf left_of, double split_cost, double limit) const {
    if (!admissible(left_of, split_cost) || (column != none && !drawn(column, left_of)))
      return std::numeric_limits<double>::infinity();
    return constraint ? constrained_cost(column, left_of, split_cost, limit) : split_cost;
  }

  static constexpr double surely_below = 1 - 0x1p-40;

 private:
  template <class LeftOf>
  bool drawn(std::uint32_t column, LeftOf left_of) const {
    return !limits.draw.any() ||
           limits.draw.takes(column, classes, left_of, [&](int c) { return total[c] - left_of(c); });
  }

  // Where clipping takes part, a split must lower what the node costs with it.
  template <class LeftOf>
  double constrained_cost(std::uint32_t column, LeftOf left_of, double split_cost, double limit) const {
    std::array<double, 16> few;
    std::vector<double> many;
    double* left = few.data();
    if (2 * static_cast<std::size_t>(classes) > few.size()) {
      many.resize(2 * static_cast<std::size_t>(classes));
      left = many.data();
    }
    double* right = left + classes;
    for (int c = 0; c < classes; ++c) {
      left[c] = left_of(c);
      right[c] = total[c] - left[c];
    }
    const auto size = static_cast<std::size_t>(classes);
    const double out = constraint->cost(column, {left, size}, {right, size}, split_cost, limit);
    if (out == split_cost && constraint->excess() == 0) return out;
    return out < (cost + constraint->excess()) * surely_below ? out : std::numeric_limits<double>::infinity();
  }
};

}  // namespace hardwood
