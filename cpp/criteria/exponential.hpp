// Natural exponential and logarithm with the same bits on every machine (libm's differ).
#pragma once

#include <cmath>

#include "criteria/criterion.hpp"

namespace hardwood {

// ln(a / b) for whole numbers a, b >= 1.
inline double ln_ratio(double a, double b) {
  constexpr double ln2 = 0.69314718055994531;
  return a >= b ? ln2 * log2_ratio(a, b) : -(ln2 * log2_ratio(b, a));
}

// exp(x) for |x| < 700: x = k ln 2 + r, |r| <= 0.35, and 13 terms of the series for exp(r).
inline double exponential(double x) {
  constexpr double log2e = 1.4426950408889634;
  constexpr double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b39p-40;
  const double k = std::floor(x * log2e + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double series = 1;
  for (int i = 13; i >= 1; --i) series = 1 + series * r / i;
  return std::ldexp(series, static_cast<int>(k));
}

}  // namespace hardwood
