// Where values go that a split did not divide by, and the turn that a row takes at it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "tree/tree_view.hpp"

namespace hardwood {

struct Turn {
  std::int32_t branch;
  bool missing = false;
  std::int32_t unseen = -1;  // a category that the split has not seen before
};

// Where a split sends missing values and categories that it did not see. Changes as rows reach the split that
// training did not send there.
struct UnseenRoutes {
  std::int32_t missing_branch, default_branch;
  bool missing_seen;
  std::map<std::int32_t, std::int32_t> added;  // category -> branch, beside the tree's own
};

// What rows on a way of their own met that was new to the splits there.
struct Met {
  std::set<std::int32_t> missing;                          // splits
  std::set<std::pair<std::int32_t, std::int32_t>> unseen;  // splits and categories
};

// A code of -1 is a missing value.
inline Turn category_turn(const TreeView& tree, const UnseenRoutes& routes, std::int32_t split,
                          std::int32_t code) {
  if (code == -1) return {routes.missing_branch, true};
  const std::int32_t* first = tree.group_codes + tree.group_begin[split];
  const std::int32_t* last = first + tree.group_count[split];
  const std::int32_t* at = std::lower_bound(first, last, code);
  if (at != last && *at == code) return {tree.group_branches[tree.group_begin[split] + (at - first)]};
  const auto added = routes.added.find(code);
  if (added != routes.added.end()) return {added->second};
  return {routes.default_branch, false, code};
}

}  // namespace hardwood
