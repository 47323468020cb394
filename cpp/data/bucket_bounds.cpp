#include "data/bucket_bounds.hpp"

#include <cmath>

namespace hardwood {

std::vector<std::uint32_t> bucket_bounds(std::span<const std::uint32_t> frequency, std::uint32_t most,
                                         std::uint32_t alone) {
  constexpr double two_over_pi = 0.63661977236758134;
  std::uint64_t total = 0, before = 0;
  for (std::uint32_t rows : frequency) total += rows;
  std::vector<std::uint32_t> start;
  std::uint32_t last = most;
  const auto values = static_cast<std::uint32_t>(frequency.size());
  for (std::uint32_t code = 0; code < values; ++code) {
    const double share = static_cast<double>(before) / static_cast<double>(total);
    const auto bucket = static_cast<std::uint32_t>(most * (two_over_pi * std::asin(std::sqrt(share))));
    if (code == 0 || bucket != last || code == alone || code - 1 == alone) start.push_back(code);
    last = bucket;
    before += frequency[code];
  }
  start.push_back(values);
  return start;
}

}  // namespace hardwood
