#include "boosting/leaf_factors.hpp"

#include <algorithm>
#include <cmath>

#include "base/portable.hpp"
#include "criteria/exponential.hpp"

namespace hardwood {

double leaf_value(Variant variant, double cap, double prior, int classes, const double* w) {
  const auto label = static_cast<int>(std::max_element(w, w + classes) - w);
  if (classes > 2) return label;
  if (variant == Variant::discrete) return label == 1 ? 1 : -1;
  if (variant == Variant::gentle) return (w[1] - w[0]) / (w[0] + w[1] + 2 * prior);
  if (prior > 0) return ln_ratio(w[1] + prior, w[0] + prior) / 2;
  return ln_ratio(std::max(w[1], w[0] / cap), std::max(w[0], w[1] / cap)) / 2;
}

double proved_drop(double step, double minus, double plus) {
  const double grow = exponential(std::abs(step));
  const double same = 1 - 1 / grow, other = 1 - grow;
  return step > 0 ? plus * same + minus * other : minus * same + plus * other;
}

Stop stop_after(double mistakes, double weight, int classes) {
  if (mistakes == 0) return Stop::no_error;
  const bool chance = static_cast<Wide>(mistakes) * classes >= static_cast<Wide>(weight) * (classes - 1);
  return chance ? Stop::chance : Stop::not_yet;
}

double tree_weight(Variant variant, double rate, int classes, double mistakes, double weight) {
  if (variant != Variant::discrete) return rate;
  const double right = mistakes == 0 ? 0x1p53 - 1 : weight - mistakes;
  const double log_odds = ln_ratio(right, std::max(mistakes, 1.0));
  return rate * (classes == 2 ? log_odds / 2 : log_odds + ln_ratio(classes - 1, 1));
}

LeafFactors leaf_factors(Variant variant, double rate, int classes, double value, double error) {
  LeafFactors out;
  if (variant == Variant::discrete) {
    out.label = classes > 2 ? static_cast<std::int32_t>(value) : value > 0 ? 1 : 0;
    if (error == 0) error = 0x1p-53;
    const double odds = error / (1 - error) / (classes - 1);
    out.same =
        rate == 1 ? odds : exponential(rate * ln_ratio(error * 0x1p60, (1 - error) * (classes - 1) * 0x1p60));
    return out;
  }
  out.label = value > 0 ? 1 : 0;
  const double size = std::abs(value);
  if (size == 0) return out;
  const double grow = exponential(rate * size);
  out.same = 1 / grow;
  out.other = grow;
  return out;
}

}  // namespace hardwood
