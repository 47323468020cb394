// The rows that growth starts from, in the order in which it keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/problem.hpp"

namespace hardwood {

// Rows of positive weight, by class and ascending.
inline NodeRows rows_by_class(const std::int32_t* labels, const std::int64_t* weights, std::size_t n,
                              int classes, std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> next(classes + 1, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (!weights || weights[i] > 0) ++next[labels[i] + 1];
  for (int c = 0; c < classes; ++c) next[c + 1] += next[c];
  NodeRows root;
  root.end = next[classes];
  for (int c = 0; c < classes; ++c)
    if (next[c + 1] > next[c]) root.classes.push_back({c, next[c], next[c + 1]});
  rows.resize(root.end);
  for (std::size_t i = 0; i < n; ++i)
    if (!weights || weights[i] > 0) rows[next[labels[i]]++] = static_cast<std::uint32_t>(i);
  return root;
}

}  // namespace hardwood
