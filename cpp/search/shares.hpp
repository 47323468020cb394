// Categories of a node in ascending order of a class's share of their weight, compared in integers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/portable.hpp"
#include "search/groups.hpp"

namespace hardwood {

// own / all, compared by cross multiplication.
struct Share {
  Wide own, all;
  bool operator<(const Share& other) const { return own * other.all < other.own * all; }
};

inline Share share_of(const Groups& groups, int classes, int channel, std::size_t i) {
  double all = 0;
  for (int c = 0; c < classes; ++c) all += groups.weight(c, i);
  return {static_cast<Wide>(groups.weight(channel, i)), static_cast<Wide>(all)};
}

inline void sort_by_share(const Groups& groups, int classes, int channel, std::vector<std::size_t>& order) {
  order.resize(groups.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Share> shares;
  for (std::size_t i = 0; i < groups.count; ++i) shares.push_back(share_of(groups, classes, channel, i));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shares[a] < shares[b]; });
}

}  // namespace hardwood
