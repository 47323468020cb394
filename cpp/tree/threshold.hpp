// The number that separates two neighbouring values of a column.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hardwood {

// `value` of a numeric column; `integer` of one of 64-bit integers (bit pattern), where value is NaN.
struct Threshold {
  double value = 0;
  std::int64_t integer = 0;
};

// Midpoint of two adjacent values, or the lower one where it rounds to the upper.
inline double midpoint(double low, double high) {
  const double sum = low + high;
  const double middle = std::isfinite(sum) ? sum / 2 : low / 2 + high / 2;
  return middle < high ? middle : low;
}

inline Threshold threshold_between(double low, double high) {
  return {midpoint(low, high), 0};
}

// Of two bit patterns of the same integer type.
inline Threshold threshold_between(std::uint64_t low, std::uint64_t high) {
  return {std::numeric_limits<double>::quiet_NaN(), std::bit_cast<std::int64_t>(low + (high - low) / 2)};
}

}  // namespace hardwood
