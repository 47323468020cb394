// 256 rows at a time: comparisons as bits, and bits back to leaf numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hardwood {

constexpr std::size_t bit_rows = 256;
constexpr std::size_t bit_words = bit_rows / 64;

struct BitKernels {
  // Bit i of the result: x[i] <= threshold, and for NaN `nan_too`.
  void (*compare)(const double* x, double threshold, bool nan_too, std::uint64_t* bits);
  // Bit k of row i's leaf number is bit i of planes[k].
  void (*leaf_numbers)(const std::uint64_t (*planes)[bit_words], int bits, std::uint8_t* number);
  // score[i] += value[number[i]]
  void (*add_values)(const std::uint8_t* number, const double* value, double* score);
};

const BitKernels& bit_kernels();

}  // namespace hardwood
