// The arrays of a tree that routing reads, wherever they live.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tree/tree.hpp"

namespace hardwood {

struct TreeView {
  std::size_t nodes = 0;
  const std::int32_t* first_child = nullptr;
  const std::int32_t* branches = nullptr;
  const std::int32_t* feature = nullptr;
  const std::uint8_t* kind = nullptr;
  const std::int64_t* cut_begin = nullptr;
  const std::int32_t* cut_count = nullptr;
  const double* thresholds = nullptr;
  const std::int64_t* integer_thresholds = nullptr;
  const std::int64_t* group_begin = nullptr;
  const std::int32_t* group_count = nullptr;
  const std::int32_t* group_codes = nullptr;
  const std::int32_t* group_branches = nullptr;
  const std::int32_t* missing_branch = nullptr;
  const std::int32_t* default_branch = nullptr;
};

inline TreeView view_of(const Tree& tree) {
  return {tree.size(),
          tree.first_child.data(),
          tree.branches.data(),
          tree.feature.data(),
          tree.kind.data(),
          tree.cut_begin.data(),
          tree.cut_count.data(),
          tree.thresholds.data(),
          tree.integer_thresholds.data(),
          tree.group_begin.data(),
          tree.group_count.data(),
          tree.group_codes.data(),
          tree.group_branches.data(),
          tree.missing_branch.data(),
          tree.default_branch.data()};
}

}  // namespace hardwood
