// Subsets of a category column's categories at a node (docs/theory/rules.md#categories).
//
// Two classes: categories in ascending order of their share of the node's second class, equal shares
// merged; a best subset is a prefix of that order under every criterion (not with limits on the branches,
// where the best admissible prefix is taken). More classes: all subsets of up to 10 categories, beyond that
// the prefixes of the order by each class's share in turn (a heuristic). Missing values go to either side;
// missing against the rest is the last candidate. The side that holds the first category is left. Rare
// categories count as one (pooling.hpp).
//
// `rank` orders a column's candidates: number of merged shares in the prefix; bit mask of the left side over
// the present categories; or class * categories + number of categories in the prefix.
#pragma once

#include <cstdint>
#include <vector>

#include "search/groups.hpp"
#include "search/pooling.hpp"
#include "search/rules.hpp"
#include "search/split.hpp"

namespace hardwood {

constexpr std::size_t enumerated_categories = 10;

class SubsetSearch {
 public:
  // given.code[i] is the category of group i. Improves `best`; true when no subset of the places can be better.
  bool run(const Groups& given, const NodeTotals& node, std::uint32_t column, Split& best);

 private:
  struct Problem {
    const Groups& given;
    const Groups& groups;  // the places
    const NodeTotals& node;
    std::uint32_t column;
    Split& best;
  };

  void stump(const Problem& p);
  void two_classes(const Problem& p);
  void all_masks(const Problem& p);
  void shares_in_turn(const Problem& p);
  void sweep(const Problem& p, bool merge_equal_shares, std::uint64_t first_cut);
  void missing_alone(const Problem& p, std::uint64_t cut);
  // The prefix order_[0, size) against the rest, missing values tried on both sides.
  void consider_prefix(const Problem& p, std::size_t size, std::uint64_t cut);
  // Categories with in_[i] set against the rest; `in_` holds the first category.
  void consider(const Problem& p, std::uint64_t cut, bool missing_right);

  Pooling pooling_;
  std::vector<std::size_t> order_;
  std::vector<char> in_;
  std::vector<double> prefix_, left_, right_;
};

}  // namespace hardwood
