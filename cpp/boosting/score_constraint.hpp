// Monotone constraints on the score of a round's tree.
//
// A leaf says its own value, clipped into the interval of its node. A branch costs the least loss (exponential,
// or squares for gentle) that a value within the interval can have, so the search weighs a split by what it
// can bring. The least of losses that are linear in the class weights is concave like phi, and never below it:
// corners bound it in the same way. Beyond an end v of the interval it is A(v) w0 + B(v) w1.
#pragma once

#include "boosting/leaf_factors.hpp"
#include "criteria/criterion.hpp"
#include "search/constraint.hpp"

namespace hardwood {

struct ScoreRules {
  Signs signs;  // one output: the score of the second class
  Variant variant = Variant::logistic;
  Criterion criterion = Criterion::km;
  double cap = 1, prior = 0;  // as leaf_value takes them
};

// What a leaf says whose own value is `own`. Discrete leaves say a label: the other one, where theirs lies
// outside.
inline double clipped_value(Variant variant, const Interval& interval, double own) {
  if (variant != Variant::discrete) return interval.clip(own);
  return interval.contains(own) ? own : -own;
}

class ScoreConstraints : public ConstraintRules {
 public:
  explicit ScoreConstraints(ScoreRules rules) : rules_(std::move(rules)) {}
  std::shared_ptr<const NodeConstraint> root(std::span<const std::int32_t> labels,
                                             ClassWeights weights) const override;

 private:
  ScoreRules rules_;
};

}  // namespace hardwood
