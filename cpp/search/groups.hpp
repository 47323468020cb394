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
#include <vector>

#include "search/cost_kernels.hpp"

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

// Two channels: the prefix sums of codes [begin, end) that are not empty, in whole numbers, which add up faster
// than doubles do and are as exact. An empty code's place is written over by the next one.
template <class Cell>
void append_groups(Groups& groups, const Cell* first, const Cell* second, std::uint32_t begin,
                   std::uint32_t end, std::int64_t (&sum)[2]) {
  std::uint32_t* list = groups.code.data();
  double* left0 = groups.left.data();
  double* left1 = left0 + groups.stride;
  std::size_t count = groups.count;
  std::int64_t sum0 = sum[0], sum1 = sum[1];
  for (std::uint32_t k = begin; k < end; ++k) {
    const auto own0 = static_cast<std::int64_t>(first[k]), own1 = static_cast<std::int64_t>(second[k]);
    sum0 += own0;
    sum1 += own1;
    list[count] = k;
    left0[count + 1] = static_cast<double>(sum0);
    left1[count + 1] = static_cast<double>(sum1);
    count += (own0 | own1) != 0 ? 1 : 0;
  }
  groups.count = count;
  sum[0] = sum0;
  sum[1] = sum1;
}

// From cells[channel_offset[c] + code], code in [0, codes), and missing values at missing_code (or none).
template <class Cell>
void fill_groups(Groups& groups, const Cell* cells, const std::vector<std::size_t>& channel_offset,
                 std::uint32_t codes, std::uint32_t missing_code) {
  const int channels = static_cast<int>(channel_offset.size());
  groups.begin(channels, codes + 1);  // one more: an empty last code is written too
  if (channels == 2) {
    const Cell* first = cells + channel_offset[0];
    const Cell* second = cells + channel_offset[1];
    std::int64_t sum[2] = {0, 0};
    append_groups(groups, first, second, 0, std::min(missing_code, codes), sum);
    if (missing_code < codes) append_groups(groups, first, second, missing_code + 1, codes, sum);
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
