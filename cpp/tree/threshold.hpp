// The number that separates two neighbouring values of a column (docs/theory/rules.md#thresholds).
#pragma once

#include <cstdint>

namespace hardwood {

// `value` of a numeric column; `integer` of one of 64-bit integers (bit pattern), where value is NaN.
struct Threshold {
  double value = 0;
  std::int64_t integer = 0;
};

// Between two finite values, low < high; low <= threshold < high. `whole`: all values of the column are whole
// numbers, and so is the threshold.
Threshold threshold_between(double low, double high, bool whole);

// Of two bit patterns of 64-bit integers, signed or unsigned.
Threshold integer_threshold_between(std::uint64_t low, std::uint64_t high, bool is_signed);

}  // namespace hardwood
