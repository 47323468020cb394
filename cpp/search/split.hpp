// The split of a leaf: what a search finds, what rows are divided by, what parts are told, what the tree is
// built from; and the one order in which candidates are compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "tree/threshold.hpp"

namespace hardwood {

constexpr std::uint32_t none = 0xffffffffu;
constexpr double impossible = std::numeric_limits<double>::infinity();  // the cost of no split

// Left out of a comparison only when its bound exceeds the best cost by more than rounding can explain.
constexpr double prune_margin = 1 + 0x1p-40;

struct Split {
  double cost = impossible;
  double merit = 0;  // multiway: gain over price
  std::uint32_t column = none;
  std::int32_t arity = 2;
  // Rank among the column's candidates of this arity. Numeric, binary: the cut; category: see subsets.hpp.
  std::uint64_t rank = 0;

  // Numeric: a value's branch is the number of cuts below it. Cuts are codes, or keys where the rows are
  // not in memory and the column has buckets. No cut: the values against the missing ones.
  std::vector<std::uint64_t> cuts;
  // The values present at the node on either side of each cut, as codes or keys. Of a split in two they are
  // noted when the rows are divided: from the two codes named here, or within the two buckets.
  std::vector<std::uint64_t> below, above;
  std::uint32_t bucket = none, next_bucket = none;
  // Thresholds that were decided beforehand (growing/draft.hpp): they are taken as they are.
  std::vector<Threshold> given;
  // Category: the codes present, ascending, and the branch of each; branches in order of first category.
  std::vector<std::uint32_t> codes;
  std::vector<std::int32_t> branch_of;

  std::int32_t missing_branch = -1;  // -1: no missing values at the node
  std::int32_t default_branch = 0;   // the heaviest, the first on a tie: for values not seen at the node
  std::vector<double> weights;       // class weights branch by branch, per class present in the leaf
  // Fractional examples: the weight with a value, branch by branch. It says which share of a missing one each
  // branch gets, and which branch is the default.
  std::vector<std::int64_t> known;

  bool found() const { return column != none; }
  // Where a missing value goes.
  std::int32_t route_of_missing() const { return missing_branch >= 0 ? missing_branch : default_branch; }
  std::int32_t interval_branch(std::uint64_t value) const {
    return static_cast<std::int32_t>(std::lower_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
  }

  void set_default_branch() {
    const std::size_t classes = weights.size() / static_cast<std::size_t>(arity);
    double most = -1;
    for (std::int32_t b = 0; b < arity; ++b) {
      double weight = 0;
      for (std::size_t c = 0; c < classes; ++c) weight += weights[static_cast<std::size_t>(b) * classes + c];
      if (weight > most) most = weight, default_branch = b;
    }
  }

  // Fractional examples: `missing` says whether the node has any without a value.
  void set_known(std::vector<std::int64_t> by_branch, bool missing) {
    known = std::move(by_branch);
    default_branch = static_cast<std::int32_t>(std::max_element(known.begin(), known.end()) - known.begin());
    missing_branch = missing ? default_branch : -1;
  }
  double share(std::int32_t branch) const {
    std::int64_t all = 0;
    for (std::int64_t weight : known) all += weight;
    return static_cast<double>(known[branch]) / static_cast<double>(all);
  }

  // One cut of a numeric column between two codes or buckets; `after` is none where only missing values go
  // right.
  void set_cut(std::uint64_t cut, std::uint32_t before, std::uint32_t after) {
    codes.clear();
    branch_of.clear();
    cuts.assign(after == none ? 0 : 1, cut);
    bucket = before;
    next_bucket = after;
  }
};

// One of the splits that a node offers.
struct RankedSplit {
  Split split;
  bool exact = true;  // no rule of thumb took part in the search of the column
};

// Order of candidates (docs/theory/rules.md#order-of-candidates): smaller cost (of several arities: larger gain
// over price), smaller arity, smaller column, smaller rank, missing values left before right.
inline auto order_key(double cost, std::int32_t arity, std::uint32_t column, std::uint64_t rank,
                      std::int32_t missing_branch) {
  return std::tuple(cost, arity, column, rank, missing_branch);
}
inline auto order_key(const Split& s) {
  return order_key(s.cost, s.arity, s.column, s.rank, s.missing_branch);
}
inline bool precedes(const Split& a, const Split& b) {
  return order_key(a) < order_key(b);
}
// Between splits of any arity, by gain over price.
inline bool precedes_by_merit(const Split& a, const Split& b) {
  if (!b.found()) return true;
  return std::tuple(-a.merit, a.arity, a.column) < std::tuple(-b.merit, b.arity, b.column);
}

// The first `most`, in the order of candidates; by merit where splits have several arities.
inline void keep_first(std::vector<RankedSplit>& splits, std::size_t most, bool by_merit) {
  const auto key = [](const Split& s) {
    return std::tuple(-s.merit, s.arity, s.column, s.rank, s.missing_branch);
  };
  std::sort(splits.begin(), splits.end(), [&](const RankedSplit& a, const RankedSplit& b) {
    return by_merit ? key(a.split) < key(b.split) : precedes(a.split, b.split);
  });
  if (splits.size() > most) splits.resize(most);
}

}  // namespace hardwood
