// What a branching of k branches costs, and which are acceptable while the tree has T of s leaves
// (docs/theory/rules.md#multiway).
//
//   Hatano (2004), TOPDOWN-M          price ceil(log2 k)           k = 2, or k <= s/T
//   Mansour & McAllester (2002)       price (1 - e(k)) / gamma     k = 2, or k <= (s/T) gamma e(k) / 2
//
// with e(k) = prod_{i=1..k-1} (1 - gamma/i), multiplied in this order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace hardwood {

class Prices {
 public:
  // gamma 0: Hatano's; max_branches 0: no limit but the budget.
  Prices(double gamma, std::int64_t max_branches, std::int64_t budget)
      : gamma_(gamma), budget_(budget), most_(max_branches ? std::min(max_branches, budget) : budget) {}

  double price(std::int64_t branches) {
    if (gamma_ == 0) return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(branches - 1)));
    return (1 - remaining(branches)) / gamma_;
  }

  // The largest acceptable arity, at least 2; every smaller one is acceptable too. It falls as `leaves` grows.
  std::int64_t widest(std::int64_t leaves) {
    const std::int64_t room = std::min(most_, budget_ / leaves);
    if (gamma_ == 0) return std::max<std::int64_t>(room, 2);
    const double share = static_cast<double>(budget_) / static_cast<double>(leaves);
    const auto acceptable = [&](std::int64_t k) {
      return static_cast<double>(k) <= share * (gamma_ * remaining(k) / 2);
    };
    std::int64_t k = std::min(std::max<std::int64_t>(room, 2), last_);  // near where it was last time
    while (k > 2 && !acceptable(k)) --k;
    while (k < room && acceptable(k + 1)) ++k;
    return last_ = k;
  }

 private:
  double remaining(std::int64_t branches) {
    if (e_.empty()) e_ = {1, 1};
    while (static_cast<std::int64_t>(e_.size()) <= branches)
      e_.push_back(e_.back() * (1 - gamma_ / static_cast<double>(e_.size() - 1)));
    return e_[branches];
  }

  double gamma_;
  std::int64_t budget_, most_;
  std::int64_t last_ = 2;
  std::vector<double> e_;  // by number of branches
};

}  // namespace hardwood
