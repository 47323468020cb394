// A split of one leaf into two branches, and the one order in which candidates are compared.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace hardwood {

constexpr std::uint32_t none = 0xffffffffu;

// Left out of a comparison only when its bound exceeds the best cost by more than rounding can explain.
constexpr double prune_margin = 1 + 0x1p-40;

struct Candidate {
  double cost = std::numeric_limits<double>::infinity();
  std::uint32_t column = none;
  // Numeric: the largest code that goes left (of its bucket's codes, where only buckets were looked at).
  // Category: rank among the column's subsets, see subsets.hpp.
  std::uint64_t cut = 0;
  bool missing_right = false;
  bool missing_seen = false;  // the column has missing values at the node

  // Numeric: lane code (bucketed lane) or code of the last group on the left and the first on the right;
  // next_group is `none` when the right branch holds missing values alone.
  std::uint32_t group = 0, next_group = none;
  // Category: the categories seen on either side, ascending.
  std::vector<std::uint32_t> left_codes, right_codes;
  // Class weights of the left branch, per class present in the leaf.
  std::vector<double> left_weights;

  bool found() const { return column != none; }
};

// docs/theory/rules.md#order-of-candidates: smaller cost, smaller column, smaller cut, missing left
// before right.
inline auto order_key(const Candidate& c) {
  return std::tuple(c.cost, c.column, c.cut, c.missing_right);
}
inline bool precedes(const Candidate& a, const Candidate& b) {
  return order_key(a) < order_key(b);
}

}  // namespace hardwood
