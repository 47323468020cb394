// A split of one leaf into three or more branches (docs/theory/rules.md#multiway).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "search/candidate.hpp"

namespace hardwood {

struct Branching {
  double cost = std::numeric_limits<double>::infinity();
  double merit = 0;  // gain over price
  std::uint32_t column = none;
  std::int32_t arity = 0;
  // Numeric: per cut the largest code present below it and the smallest above it.
  std::vector<std::uint32_t> lower, upper;
  // Category: the codes present, ascending, and the branch of each; branches in order of first category.
  std::vector<std::uint32_t> codes;
  std::vector<std::int32_t> branch_of;
  std::int32_t missing_branch = -1;  // -1: no missing values at the node
  // Class weights branch by branch, per class present in the leaf.
  std::vector<double> weights;

  bool found() const { return column != none; }
};

// docs/theory/rules.md#order-of-candidates: larger gain over price, smaller arity, smaller column.
inline bool precedes(const Branching& a, const Branching& b) {
  if (!b.found()) return true;
  if (a.merit != b.merit) return a.merit > b.merit;
  return a.arity != b.arity ? a.arity < b.arity : a.column < b.column;
}

}  // namespace hardwood
