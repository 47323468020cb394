// Two values of a numeric column, told apart by one bit in which they differ: loops over rows have neither
// branches nor comparisons of float64.
#pragma once

#include <bit>
#include <cstdint>

#include "data/value_blocks.hpp"

namespace hardwood {

class TwoValues {
 public:
  // Both may be the same.
  TwoValues(double one, double other)
      : one_(std::bit_cast<std::uint64_t>(one + 0.0)),
        differ_(one_ ^ std::bit_cast<std::uint64_t>(other + 0.0)) {
    bit_ = differ_ ? std::countr_zero(differ_) : 0;
  }

  // Whether a block has nothing else; a missing value and -0.0 are something else.
  bool are_all(const ValueBlock& block) const {
    std::uint64_t strange = 0;
    for (std::size_t i = 0; i < block.rows; ++i) {
      const std::uint64_t apart = std::bit_cast<std::uint64_t>(block.values[i]) ^ one_;
      strange |= apart ^ (differ_ & (0 - (apart >> bit_ & 1)));
    }
    return strange == 0;
  }

  // Sets the bit `shift` of the words of rows that have the other one, if these are all values.
  bool mark(const ValueBlock& block, std::uint64_t* words, int shift) const {
    if (!are_all(block)) return false;
    for (std::size_t i = 0; i < block.rows; ++i)
      words[i] |= ((std::bit_cast<std::uint64_t>(block.values[i]) ^ one_) >> bit_ & 1) << shift;
    return true;
  }

 private:
  std::uint64_t one_, differ_;
  int bit_;
};

}  // namespace hardwood
