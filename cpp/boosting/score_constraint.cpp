#include "boosting/score_constraint.hpp"

#include <algorithm>
#include <cmath>

#include "criteria/exponential.hpp"

namespace hardwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The loss of a leaf of two class weights that says `value`.
double loss(Variant variant, const double* w, double value) {
  if (variant == Variant::gentle) return (w[0] + w[1]) * value * value - 2 * value * (w[1] - w[0]);
  const double grow = exponential(std::abs(value));
  return value > 0 ? w[1] / grow + w[0] * grow : w[0] / grow + w[1] * grow;
}

class ScoreConstraint : public NodeConstraint {
 public:
  ScoreConstraint(const ScoreRules& rules, Interval interval, std::span<const std::int32_t> labels,
                  ClassWeights weights)
      : rules_(rules), interval_(interval), labels_(labels.begin(), labels.end()),
        excess_(said(weights).excess) {}

  double cost(std::uint32_t column, ClassWeights left, ClassWeights right, double cost) const override {
    const int sign = column == none ? 0 : rules_.signs.at(column, 0);
    if (sign == 0 && !interval_.binds()) return cost;
    const Said below = said(left), above = said(right);
    if ((sign > 0 && below.value > above.value) || (sign < 0 && below.value < above.value)) return infinity;
    return cost + (below.excess + above.excess);
  }

  double excess() const override { return excess_; }
  bool binds() const override { return interval_.binds(); }
  Interval interval(std::size_t) const override { return interval_; }

  std::shared_ptr<const NodeConstraint> branch(const Split& split, std::int32_t branch,
                                               std::span<const std::int32_t> labels,
                                               ClassWeights weights) const override {
    Interval interval = interval_;
    const int sign = split.cuts.empty() ? 0 : rules_.signs.at(split.column, 0);
    if (sign != 0) {
      const ClassWeights left(split.weights.data(), labels_.size());
      const ClassWeights right(split.weights.data() + labels_.size(), labels_.size());
      interval = interval.beside(said(left).value, said(right).value, sign, branch);
    }
    return std::make_shared<ScoreConstraint>(rules_, interval, labels, weights);
  }

 private:
  struct Said {
    double value, excess;
  };

  // What a leaf with these class weights says, and what clipping costs.
  Said said(ClassWeights weights) const {
    double w[2] = {0, 0};
    for (std::size_t k = 0; k < labels_.size(); ++k) w[labels_[k]] = weights[k];
    const double own = leaf_value(rules_.variant, rules_.cap, rules_.prior, 2, w);
    const double value = clipped_value(rules_.variant, interval_, own);
    if (value == own || rules_.variant == Variant::discrete) return {value, 0};
    return {value, std::max(0.0, loss(rules_.variant, w, value) - loss(rules_.variant, w, own))};
  }

  const ScoreRules& rules_;
  Interval interval_;
  std::vector<std::int32_t> labels_;  // of the classes present
  double excess_;
};

}  // namespace

std::shared_ptr<const NodeConstraint> ScoreConstraints::root(std::span<const std::int32_t> labels,
                                                             ClassWeights weights) const {
  return std::make_shared<ScoreConstraint>(rules_, Interval{}, labels, weights);
}

}  // namespace hardwood
