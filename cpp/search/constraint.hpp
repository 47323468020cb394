// What monotone constraints ask of the splits of a node (docs/theory/rules.md#monotone-constraints).
//
// A constraint is on one or more *outputs*: the probability of a class, or the score of a boosted tree. The
// branches of a split of a constrained column must be in order. Every node of a boosted tree also has an
// interval in which the output of all leaves below it must lie. A split of a constrained column cuts the
// interval at the middle of what its two branches say, so nothing that is decided below one branch can come
// into conflict with what is decided below the other.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "search/split.hpp"

namespace hardwood {

// Per column and output: 1 where the output may not fall as the value rises, -1 where it may not rise, else 0.
struct Signs {
  std::size_t outputs = 0;
  std::vector<std::int8_t> of;

  int at(std::uint32_t column, std::size_t output) const { return of[column * outputs + output]; }
  bool any(std::uint32_t column) const {
    for (std::size_t o = 0; o < outputs; ++o)
      if (at(column, o) != 0) return true;
    return false;
  }
};

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool contains(double value) const { return low <= value && value <= high; }
  double clip(double value) const { return value < low ? low : value > high ? high : value; }
  bool binds() const { return *this != Interval{}; }
  bool operator==(const Interval&) const = default;

  // What is left of it on one side of a split whose branches say `left` and `right`, in the order of `sign`.
  Interval beside(double left, double right, int sign, std::int32_t branch) const {
    const double middle = (left + right) / 2;
    return (branch == 0) == (sign > 0) ? Interval{low, middle} : Interval{middle, high};
  }
};

// A class's weight in a branch, per class that is present in the node.
using ClassWeights = std::span<const double>;

// The constraints at one node.
class NodeConstraint {
 public:
  virtual ~NodeConstraint() = default;

  // What a split in two costs that costs `cost` without constraints: never less, infinity where it is not
  // admissible. `column` is `none` where the branches do not part by the order of a column's values. What is
  // dearer than `limit` need not be asked for more.
  virtual double cost(std::uint32_t column, ClassWeights left, ClassWeights right, double cost,
                      double limit) const = 0;

  // What no admissible cut of the column can cost less than that divides `inside` among left and right, where
  // none costs less than `bound` without constraints.
  virtual double bound(std::uint32_t column, ClassWeights left, ClassWeights inside, ClassWeights right,
                       double bound) const = 0;

  // What the node, as a leaf, costs more than without constraints.
  virtual double excess() const { return 0; }
  // False where only the order of the branches of a constrained column is asked for.
  virtual bool binds() const = 0;
  virtual Interval interval(std::size_t output) const = 0;

  // The constraints at a branch of the node's split; labels and weights are those of the classes there.
  virtual std::shared_ptr<const NodeConstraint> branch(const Split& split, std::int32_t branch,
                                                       std::span<const std::int32_t> labels,
                                                       ClassWeights weights) const = 0;
};

class ConstraintRules {
 public:
  virtual ~ConstraintRules() = default;
  virtual std::shared_ptr<const NodeConstraint> root(std::span<const std::int32_t> labels,
                                                     ClassWeights weights) const = 0;
};

}  // namespace hardwood
