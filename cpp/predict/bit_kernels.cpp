#include "predict/bit_kernels.hpp"

#include <cstring>

namespace hardwood::HARDWOOD_ISA {

namespace {

// Eight bytes that are 0 or 1 -> eight bits.
std::uint64_t pack(const std::uint8_t* bytes) {
  std::uint64_t eight;
  std::memcpy(&eight, bytes, sizeof eight);
  return (eight * 0x0102040810204080u) >> 56;
}

void compare(const double* __restrict x, double threshold, bool nan_too, std::uint64_t* bits) {
  std::uint8_t yes[bit_rows];
  if (nan_too) {
    for (std::size_t i = 0; i < bit_rows; ++i) yes[i] = !(x[i] > threshold);
  } else {
    for (std::size_t i = 0; i < bit_rows; ++i) yes[i] = x[i] <= threshold;
  }
  for (std::size_t w = 0; w < bit_words; ++w) {
    std::uint64_t word = 0;
    for (std::size_t b = 0; b < 8; ++b) word |= pack(yes + 64 * w + 8 * b) << (8 * b);
    bits[w] = word;
  }
}

void leaf_numbers(const std::uint64_t (*planes)[bit_words], int bits, std::uint8_t* number) {
  for (std::size_t w = 0; w < bit_words; ++w)
    for (int b = 0; b < 8; ++b) {
      std::uint64_t eight = 0;
      for (int k = 0; k < bits; ++k) {
        const std::uint64_t byte = (planes[k][w] >> (8 * b)) & 0xff;
        // Byte j keeps bit j alone, which the addition carries to the top of the byte.
        std::uint64_t flags = byte * 0x0101010101010101u & 0x8040201008040201u;
        flags = (((flags & 0x7f7f7f7f7f7f7f7fu) + 0x7f7f7f7f7f7f7f7fu) | flags) >> 7 & 0x0101010101010101u;
        eight |= flags << k;
      }
      std::memcpy(number + 64 * w + 8 * b, &eight, sizeof eight);
    }
}

void add_values(const std::uint8_t* __restrict number, const double* __restrict value,
                double* __restrict score) {
  for (std::size_t i = 0; i < bit_rows; ++i) score[i] += value[number[i]];
}

}  // namespace

extern const BitKernels bit_table;
const BitKernels bit_table{compare, leaf_numbers, add_values};

}  // namespace hardwood::HARDWOOD_ISA
