// A decision tree as parallel arrays; nodes in order of creation, a node's children next to each other.
// The Python class hardwood.tree.Tree documents each array.
#pragma once

#include <cstdint>
#include <vector>

namespace hardwood {

enum NodeKind : std::uint8_t { leaf_node = 0, interval_node = 1, group_node = 2 };

struct Tree {
  int classes = 0;
  std::vector<std::int32_t> parent, first_child, branches, feature;
  std::vector<std::uint8_t> kind;
  std::vector<std::int64_t> cut_begin;
  std::vector<std::int32_t> cut_count;
  std::vector<double> thresholds;
  std::vector<std::int64_t> integer_thresholds;
  std::vector<std::int64_t> group_begin;
  std::vector<std::int32_t> group_count;
  std::vector<std::int32_t> group_codes, group_branches;
  std::vector<std::int32_t> missing_branch;
  std::vector<std::uint8_t> missing_seen;
  std::vector<std::int32_t> default_branch, depth;
  std::vector<std::int64_t> rows;
  std::vector<double> class_weights;  // node by node, in integer weight units
  std::vector<double> cost;           // phi in integer weight units
  std::vector<double> share;          // of fractional examples; otherwise empty

  std::size_t size() const { return parent.size(); }
};

}  // namespace hardwood
