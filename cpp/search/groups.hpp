// A column at a node: its groups of rows with equal code (or bucket) in ascending order, those that are
// empty left out, as prefix sums of class weights.
//
//   left[channel * stride + i]   weight in groups 0 .. i-1        i = 0 .. count
//
// Channels are the classes present in the node; one more counts examples where that is asked for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "search/cost_kernels.hpp"
#include "search/group_kernels.hpp"

namespace hardwood {

struct Groups {
  int channels = 0;
  std::size_t count = 0;
  std::size_t stride = 0;
  std::vector<std::uint32_t> code;
  std::vector<double> left;
  std::vector<double> missing;  // per channel
  bool any_missing = false;

  void begin(int channel_count, std::size_t most) {
    channels = channel_count;
    count = 0;
    stride = most + 1;
    if (code.size() < most) code.resize(most);
    if (left.size() < channels * stride) left.resize(channels * stride);
    for (int c = 0; c < channels; ++c) left[c * stride] = 0;
    missing.assign(channels, 0.0);
    any_missing = false;
  }

  // weight_of(channel) is the new group's weight.
  template <class WeightOf>
  void push(std::uint32_t group_code, WeightOf weight_of) {
    code[count] = group_code;
    for (int c = 0; c < channels; ++c) {
      double* at = left.data() + c * stride + count;
      at[1] = at[0] + weight_of(c);
    }
    ++count;
  }

  // A group whose prefix sum does not follow from the group before; sum_of(channel) includes the group.
  template <class SumOf>
  void push_prefix(std::uint32_t group_code, SumOf sum_of) {
    code[count] = group_code;
    for (int c = 0; c < channels; ++c) left[c * stride + count + 1] = sum_of(c);
    ++count;
  }

  template <class WeightOf>
  void set_missing(WeightOf weight_of) {
    double sum = 0;
    for (int c = 0; c < channels; ++c) sum += missing[c] = weight_of(c);
    any_missing = sum > 0;
  }

  double weight(int channel, std::size_t group) const {
    const double* at = left.data() + channel * stride + group;
    return at[1] - at[0];
  }
};

// From cells[channel_offset[c] + code], code in [0, codes), and missing values at missing_code (or none).
template <class Cell>
void fill_groups(Groups& groups, const Cell* cells, const std::vector<std::size_t>& channel_offset,
                 std::uint32_t codes, std::uint32_t missing_code) {
  const int channels = static_cast<int>(channel_offset.size());
  groups.begin(channels, codes + GroupSums::spare);
  if (channels == 2) {
    const Cell* first = cells + channel_offset[0];
    const Cell* second = cells + channel_offset[1];
    double* const left = groups.left.data();
    GroupSums sums{groups.code.data(), {left, left + groups.stride}, 0, {0, 0}};
    const auto append = [&](std::uint32_t begin, std::uint32_t end) {
      if constexpr (std::is_same_v<Cell, std::uint32_t>)
        group_kernels().append_counts(first, second, begin, end, sums);
      else group_kernels().append_weights(first, second, begin, end, sums);
    };
    append(0, std::min(missing_code, codes));
    if (missing_code < codes) append(missing_code + 1, codes);
    groups.count = sums.count;
  } else {
    std::size_t count = 0;
    std::uint32_t* list = groups.code.data();
    for (std::uint32_t k = 0; k < codes; ++k) {
      Cell any = 0;
      for (int c = 0; c < channels; ++c) any |= cells[channel_offset[c] + k];
      list[count] = k;
      count += any != 0 && k != missing_code ? 1 : 0;
    }
    groups.count = count;
    for (int c = 0; c < channels; ++c) {
      const Cell* from = cells + channel_offset[c];
      double* to = groups.left.data() + c * groups.stride;
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) to[i + 1] = sum += static_cast<double>(from[list[i]]);
    }
  }
  if (missing_code < codes)
    groups.set_missing([&](int c) { return static_cast<double>(cells[channel_offset[c] + missing_code]); });
}

}  // namespace hardwood
