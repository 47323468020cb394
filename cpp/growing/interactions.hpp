// Which columns may stand on one path from the root (docs/theory/rules.md#interaction-constraints).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hardwood {

struct Interactions {
  std::size_t columns = 0;
  std::vector<std::vector<std::uint32_t>> groups;  // ascending: the columns of a path are all in one of them
  std::size_t most = 0;                            // not 0: instead, a path may have so many different columns
  // Per column, or empty: columns that must stand on a path before this one may, ascending.
  std::vector<std::vector<std::uint32_t>> needs;
  std::size_t free =
      0;  // columns after the others that may stand on any path and count for none: the class of pairs

  // Per column: may be split on below splits on the columns of `path` (ascending).
  std::vector<char> allowed(std::vector<std::uint32_t> path) const {
    while (!path.empty() && path.back() >= columns) path.pop_back();
    std::vector<char> out = may_meet(path);
    for (std::size_t c = 0; c < needs.size(); ++c)
      if (!std::includes(path.begin(), path.end(), needs[c].begin(), needs[c].end())) out[c] = 0;
    out.resize(columns + free, 1);
    return out;
  }

 private:
  std::vector<char> may_meet(const std::vector<std::uint32_t>& path) const {
    if (most > path.size() || (most == 0 && groups.empty())) return std::vector<char>(columns, 1);
    std::vector<char> out(columns, 0);
    const auto allow = [&](const std::vector<std::uint32_t>& list) {
      for (std::uint32_t c : list) out[c] = 1;
    };
    if (most > 0) allow(path);
    else
      for (const auto& group : groups)
        if (std::includes(group.begin(), group.end(), path.begin(), path.end())) allow(group);
    return out;
  }
};

}  // namespace hardwood
