// Values as unsigned keys: the order of the keys is the order of the values.
#pragma once

#include <bit>
#include <cstdint>

namespace hardwood {

inline std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0.0 + 0.0 is 0.0
  return bits ^ ((0 - (bits >> 63)) | (std::uint64_t{1} << 63));
}

inline double value_of(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(key & sign ? key ^ sign : ~key);
}

}  // namespace hardwood
