// What is known of two-valued columns at a node from an earlier one above it.
//
// A column's rarer value has class weights (a, b) at the root, and at most these at any node below. A split on
// the column puts some (a', b') <= (a, b) on one side; the cost is concave in each, so the four corners bound
// it, and a column whose bound exceeds the best cost need not be summed at all. Two classes only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "search/groups.hpp"
#include "search/rules.hpp"
#include "search/split.hpp"

namespace hardwood {

class SideWeights {
 public:
  bool known() const { return !order_.empty(); }
  void clear() { order_.clear(); }

  // At the root: begin, then every column that has been summed, then finish.
  void begin(std::size_t columns) {
    order_.clear();
    first_.assign(columns, unknown);
    second_.assign(columns, unknown);
  }
  void note(std::uint32_t column, const Groups& groups) {
    if (groups.any_missing || groups.count > 2) return;
    const auto weight = [&](std::size_t i) { return groups.weight(0, i) + groups.weight(1, i); };
    const std::size_t rarer = groups.count == 2 && weight(1) < weight(0) ? 1 : 0;
    first_[column] = groups.count == 2 ? groups.weight(0, rarer) : 0;
    second_[column] = groups.count == 2 ? groups.weight(1, rarer) : 0;
  }
  // Columns of which nothing is known come first, then those that could lower the cost most.
  void finish() {
    order_.resize(first_.size());
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return first_[a] + second_[a] > first_[b] + second_[b];
    });
  }

  const std::vector<std::uint32_t>& order() const { return order_; }

  bool cannot_win(std::uint32_t column, const NodeTotals& node, double best_cost) const {
    if (first_[column] == unknown) return false;
    const double all0 = node.total[0], all1 = node.total[1];
    const double a = std::min(first_[column], all0), b = std::min(second_[column], all1);
    const double bound = with_criterion(node.criterion, [&]<Criterion K>() {
      return std::min(std::min(split_cost<K>(0, 0, all0, all1), split_cost<K>(a, 0, all0, all1)),
                      std::min(split_cost<K>(0, b, all0, all1), split_cost<K>(a, b, all0, all1)));
    });
    return bound > best_cost * prune_margin;
  }

 private:
  static constexpr double unknown = 1e300;
  std::vector<double> first_, second_;
  std::vector<std::uint32_t> order_;
};

}  // namespace hardwood
