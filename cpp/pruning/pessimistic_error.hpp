// C4.5's estimate of the errors that a leaf will make (Quinlan 1993, chapter 4, release 8).
#pragma once

#include <algorithm>
#include <cmath>

#include "criteria/exponential.hpp"

namespace hardwood {

// The upper confidence limit on the errors of a leaf of n examples that itself makes e errors: exact for e = 0,
// a straight line from there to e = 1, beyond that Wilson's limit with a continuity correction of a half.
// Weights become examples by one factor for the whole table (docs/theory/rules.md#pruning).
class PessimisticError {
 public:
  // `log_confidence` is the natural logarithm of the confidence, `deviation` the normal deviate that is
  // exceeded with that probability, `examples` how many examples a weight of 1 is.
  PessimisticError(double log_confidence, double deviation, double examples = 1)
      : log_confidence_(log_confidence), deviation_(deviation), examples_(examples) {}

  // In examples.
  double operator()(double weight, double wrong_weight) const {
    if (weight <= 0) return 0;
    const double n = weight * examples_, e = wrong_weight * examples_;
    if (e >= 1) return e + several(n, e);
    const double clean = n * (1 - power(n));
    return e > 0 ? e + clean + e * (several(n, 1) - clean) : clean;
  }

  // Whether more weight in a leaf, right or wrong, never lowers its estimate. At confidences below about
  // 0.0005 the normal limit for e = 1 lies under the exact one for e = 0 in small leaves.
  bool never_falls() const { return log_confidence_ > -6.91; }

 private:
  // confidence ^ (1 / n)
  double power(double n) const {
    const double x = log_confidence_ / n;
    return x > -690 ? exponential(x) : 0;
  }

  // What is added to e >= 1 errors.
  double several(double n, double e) const {
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    const double z2 = deviation_ * deviation_;
    const double f = (e + 0.5) / n;
    const double spread = std::sqrt(f / n - f * f / n + z2 / (4 * n * n));
    const double limit = (f + z2 / (2 * n) + deviation_ * spread) / (1 + z2 / n);
    return limit * n - e;
  }

  double log_confidence_, deviation_, examples_;
};

}  // namespace hardwood
