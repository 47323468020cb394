// The places in an ordered list of groups where branches may part.
//
// Up to `boundary_points` places are all kept. Of more, those between groups of equal class shares go first:
// phi is concave, so no best branching parts there (this holds without limits on the branches). Where still
// more are left, the first place that has at least t / (boundary_points + 1) of the present weight below it is
// kept for t = 1, 2, ...: a rule of class weights alone, after which the search is no longer exact.
#pragma once

#include <cstdint>
#include <vector>

#include "base/portable.hpp"
#include "search/groups.hpp"
#include "search/rules.hpp"

namespace hardwood {

constexpr std::size_t boundary_points = 256;

struct MergedGroups {
  Groups groups;
  std::vector<std::uint32_t> end;  // merged group i is [end[i - 1], end[i]) of the given groups
  bool exact = true;
};

inline bool same_shares(const Groups& groups, int classes, std::size_t i, std::size_t j) {
  double first = 0, second = 0;
  for (int c = 0; c < classes; ++c) {
    first += groups.weight(c, i);
    second += groups.weight(c, j);
  }
  for (int c = 0; c < classes; ++c)
    if (static_cast<Wide>(groups.weight(c, i)) * static_cast<Wide>(second) !=
        static_cast<Wide>(groups.weight(c, j)) * static_cast<Wide>(first))
      return false;
  return true;
}

// Fills in the merged groups by their ends.
inline void sum_merged(const Groups& groups, MergedGroups& out) {
  out.groups.begin(groups.channels, out.end.size());
  for (std::uint32_t end : out.end)
    out.groups.push_prefix(end - 1, [&](int c) { return groups.left[c * groups.stride + end]; });
  out.groups.missing = groups.missing;
  out.groups.any_missing = groups.any_missing;
}

inline void merge_groups(const Groups& groups, const NodeTotals& node, MergedGroups& out) {
  const std::size_t n = groups.count;
  out.end.clear();
  out.exact = true;
  const bool many = n > boundary_points + 1;
  for (std::size_t i = 1; i < n; ++i)
    if (!many || node.limits.any() || !same_shares(groups, node.classes, i - 1, i))
      out.end.push_back(static_cast<std::uint32_t>(i));
  if (out.end.size() > boundary_points) {
    out.exact = false;
    const auto below = [&](std::uint32_t end) {
      double sum = 0;
      for (int c = 0; c < node.classes; ++c) sum += groups.left[c * groups.stride + end];
      return sum;
    };
    const double all = below(static_cast<std::uint32_t>(n));
    std::size_t kept = 0, t = 1;
    for (std::size_t i = 0; i < out.end.size() && t <= boundary_points; ++i) {
      const double weight = below(out.end[i]) * (boundary_points + 1);
      if (weight < static_cast<double>(t) * all) continue;
      out.end[kept++] = out.end[i];
      while (t <= boundary_points && weight >= static_cast<double>(t) * all) ++t;
    }
    out.end.resize(kept);
  }
  out.end.push_back(static_cast<std::uint32_t>(n));
  sum_merged(groups, out);
}

}  // namespace hardwood
