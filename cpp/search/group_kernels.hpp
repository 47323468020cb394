// The codes of a column that are not empty, with the prefix sums of two channels (groups.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hardwood {

// left[channel][i + 1] is the sum up to code[i], it included. Up to spare places after the last may be written.
struct GroupSums {
  static constexpr std::size_t spare = 8;
  std::uint32_t* code;
  double* left[2];
  std::size_t count;
  std::int64_t sum[2];  // of all groups so far
};

struct GroupKernels {
  // Appends those of the codes [begin, end) that have weight in either channel.
  void (*append_counts)(const std::uint32_t* first, const std::uint32_t* second, std::uint32_t begin,
                        std::uint32_t end, GroupSums& out);
  void (*append_weights)(const std::int64_t* first, const std::int64_t* second, std::uint32_t begin,
                         std::uint32_t end, GroupSums& out);
};

const GroupKernels& group_kernels();

}  // namespace hardwood
