#include "boosting/score_constraint.hpp"

#include <algorithm>
#include <cmath>

#include "criteria/exponential.hpp"

namespace hardwood {

namespace {

constexpr double infinite_cost = std::numeric_limits<double>::infinity();
constexpr double doubt = 1e-9;  // that rounding can explain

// Weights of both classes.
struct Pair {
  double w[2];
};

// The loss of saying v, linear in the class weights.
struct Loss {
  double of_first = 1, of_second = 1;

  Loss(Variant variant, double v) {
    if (std::isinf(v) || variant == Variant::discrete) return;
    if (variant == Variant::gentle) {
      of_first = (1 + v) * (1 + v);
      of_second = (1 - v) * (1 - v);
      return;
    }
    const double grow = exponential(std::abs(v));
    of_first = v > 0 ? grow : 1 / grow;
    of_second = v > 0 ? 1 / grow : grow;
  }
  double operator()(const Pair& leaf) const { return of_first * leaf.w[0] + of_second * leaf.w[1]; }
};

class ScoreConstraint : public NodeConstraint {
 public:
  ScoreConstraint(const ScoreRules& rules, Interval interval, std::span<const std::int32_t> labels,
                  ClassWeights weights)
      : rules_(rules), interval_(interval), at_low_(rules.variant, interval.low),
        at_high_(rules.variant, interval.high), binds_(interval.binds()), present_(labels.size()) {
    for (std::size_t k = 0; k < labels.size(); ++k) place_[labels[k]] = static_cast<std::int32_t>(k);
    excess_ = excess_of(ordered(weights));
  }

  double cost(std::uint32_t column, ClassWeights left, ClassWeights right, double cost,
              double limit) const override {
    const int sign = column == none ? 0 : rules_.signs.at(column, 0);
    const Pair below = ordered(left), above = ordered(right);
    if (binds_) cost += excess_of(below) + excess_of(above);
    if (sign == 0 || cost > limit) return cost;
    return in_order(sign > 0 ? below : above, sign > 0 ? above : below, 0) ? cost : infinite_cost;
  }

  double bound(std::uint32_t column, ClassWeights left, ClassWeights inside, ClassWeights right,
               double bound) const override {
    const int sign = rules_.signs.at(column, 0);
    if (sign == 0 && !binds_) return bound;
    const Pair below = ordered(left), more = ordered(inside), above = ordered(right);
    if (sign != 0) {  // the cut that is most in order: each class wholly on its side
      const Pair low = sign > 0 ? below : above, high = sign > 0 ? above : below;
      const Pair least{{low.w[0] + more.w[0], low.w[1]}}, most{{high.w[0], high.w[1] + more.w[1]}};
      if (!in_order(least, most, doubt)) return infinite_cost;
    }
    if (!binds_ || !concave()) return bound;
    double lowest = infinite_cost;
    for (int corner : {1, 2, 0, 3}) {  // first each class wholly on a side, which mostly costs least
      Pair one = below, other = above;
      (corner & 1 ? one : other).w[0] += more.w[0];
      (corner & 2 ? one : other).w[1] += more.w[1];
      lowest = std::min(lowest, branch_cost(one) + branch_cost(other));
      if (lowest <= bound) return bound;
    }
    return lowest;
  }

  double excess() const override { return excess_; }
  bool binds() const override { return binds_; }
  Interval interval(std::size_t) const override { return interval_; }

  std::shared_ptr<const NodeConstraint> branch(const Split& split, std::int32_t branch,
                                               std::span<const std::int32_t> labels,
                                               ClassWeights weights) const override {
    Interval interval = interval_;
    const int sign = split.cuts.empty() ? 0 : rules_.signs.at(split.column, 0);
    if (sign != 0) {
      const Pair left = ordered({split.weights.data(), present_});
      const Pair right = ordered({split.weights.data() + present_, present_});
      interval = interval.beside(said(left), said(right), sign, branch);
    }
    return std::make_shared<ScoreConstraint>(rules_, interval, labels, weights);
  }

 private:
  Pair ordered(ClassWeights weights) const {
    return {{place_[0] < 0 ? 0.0 : weights[place_[0]], place_[1] < 0 ? 0.0 : weights[place_[1]]}};
  }

  double said(const Pair& leaf) const {
    const double own = leaf_value(rules_.variant, rules_.cap, rules_.prior, 2, leaf.w);
    return clipped_value(rules_.variant, interval_, own);
  }

  // Whether `low` says no more than `high`. Where their odds differ beyond rounding they tell, and clipping
  // keeps their order.
  bool in_order(const Pair& low, const Pair& high, double slack) const {
    const double e = rules_.prior;
    if ((low.w[1] + e) * (high.w[0] + e) < (high.w[1] + e) * (low.w[0] + e) * (1 - doubt)) return true;
    if (low.w[0] + low.w[1] == 0 || high.w[0] + high.w[1] == 0) return true;
    return said(low) <= said(high) + slack;
  }

  double unclipped(const Pair& leaf) const {
    return rules_.variant == Variant::gentle ? phi2<Criterion::gini>(leaf.w[0], leaf.w[1])
                                             : phi2<Criterion::km>(leaf.w[0], leaf.w[1]);
  }
  // phi where the best value lies within the interval, else the loss at its end.
  double branch_cost(const Pair& leaf) const { return unclipped(leaf) + excess_of(leaf); }
  double excess_of(const Pair& leaf) const {
    const Loss* end = beyond(leaf);
    return end ? std::max(0.0, (*end)(leaf)-unclipped(leaf)) : 0;
  }

  // The end of the interval beyond which the best value lies.
  const Loss* beyond(const Pair& leaf) const {
    if (rules_.variant == Variant::discrete) return nullptr;
    const double first = leaf.w[0], second = leaf.w[1];
    if (rules_.variant == Variant::gentle) {
      if (second - first < interval_.low * (first + second)) return &at_low_;
      return second - first > interval_.high * (first + second) ? &at_high_ : nullptr;
    }
    const bool low = !std::isinf(interval_.low) && second * at_low_.of_second < first * at_low_.of_first;
    if (low) return &at_low_;
    const bool high = !std::isinf(interval_.high) && second * at_high_.of_second > first * at_high_.of_first;
    return high ? &at_high_ : nullptr;
  }

  // The criterion is the variant's own, so that cost and excess add up to a concave function.
  bool concave() const {
    if (rules_.variant == Variant::discrete) return false;
    return rules_.criterion == (rules_.variant == Variant::gentle ? Criterion::gini : Criterion::km);
  }

  const ScoreRules& rules_;
  Interval interval_;
  Loss at_low_, at_high_;
  const bool binds_;
  const std::size_t present_;         // classes in the node
  std::int32_t place_[2] = {-1, -1};  // of each class among them
  double excess_ = 0;
};

}  // namespace

std::shared_ptr<const NodeConstraint> ScoreConstraints::root(std::span<const std::int32_t> labels,
                                                             ClassWeights weights) const {
  return std::make_shared<ScoreConstraint>(rules_, Interval{}, labels, weights);
}

}  // namespace hardwood
