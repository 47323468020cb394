// A split of a leaf whose missing values go down every branch: a function from a column's codes to the
// branches 0 .. arity-1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "search/candidate.hpp"

namespace hardwood {

struct FractionalSplit {
  double cost = std::numeric_limits<double>::infinity();
  std::int32_t arity = 2;
  std::uint32_t column = none;
  std::uint64_t cut = 0;  // rank among the column's candidates
  // Numeric: the largest code that each branch but the last may hold, ascending.
  std::vector<std::uint32_t> last;
  // Category: the codes present, ascending, and the branch of each.
  std::vector<std::uint32_t> codes;
  std::vector<std::int32_t> branch_of;
  bool exact = true;  // no rule of thumb took part in the search that found it

  bool found() const { return column != none; }

  std::int32_t interval_branch(std::uint32_t code) const {
    return static_cast<std::int32_t>(std::lower_bound(last.begin(), last.end(), code) - last.begin());
  }
};

// docs/theory/rules.md#order-of-candidates: smaller cost, smaller arity, smaller column, smaller cut.
inline auto order_key(const FractionalSplit& s) {
  return std::tuple(s.cost, s.arity, s.column, s.cut);
}
inline bool precedes(const FractionalSplit& a, const FractionalSplit& b) {
  return order_key(a) < order_key(b);
}

}  // namespace hardwood
