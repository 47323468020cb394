// An exact sum of float64 weights, in pieces.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace hardwood {

// Mantissas added up per exponent, in halves of 26 and 27 bits so that 2^31 of them cannot overflow.
// The sum is that of (high[e] * 2^26 + low[e]) * 2^(e - 1075) over all e (e = 0 counts as e = 1).
struct WeightSum {
  std::array<std::int64_t, 2048> high{}, low{};

  explicit WeightSum(std::span<const double> weights) {
    for (double weight : weights) {
      const auto bits = std::bit_cast<std::uint64_t>(weight);
      const std::uint64_t exponent = (bits >> 52) & 0x7ff;
      std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
      if (exponent > 0) mantissa |= std::uint64_t{1} << 52;
      high[exponent] += static_cast<std::int64_t>(mantissa >> 26);
      low[exponent] += static_cast<std::int64_t>(mantissa & ((1 << 26) - 1));
    }
  }
};

}  // namespace hardwood
