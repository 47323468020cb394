#include "search/binary/subsets.hpp"

#include <algorithm>
#include <cmath>

#include "search/shares.hpp"

namespace hardwood {

void SubsetSearch::consider(const Problem& p, std::uint64_t cut, bool missing_right) {
  const Groups& groups = p.groups;
  const NodeTotals& node = p.node;
  left_.assign(groups.channels, 0.0);
  for (int c = 0; c < groups.channels; ++c) {
    for (std::size_t i = 0; i < groups.count; ++i)
      if (in_[i]) left_[c] += groups.weight(c, i);
    if (!missing_right) left_[c] += groups.missing[c];
  }
  right_.resize(node.classes);
  for (int c = 0; c < node.classes; ++c) right_[c] = node.total[c] - left_[c];
  const double cost = with_criterion(node.criterion, [&]<Criterion K>() {
    if constexpr (K == Criterion::stump) return split_cost<K>(left_[0], left_[1], node.total[0], node.total[1]);
    return phi<K>(left_.data(), node.classes) + phi<K>(right_.data(), node.classes);
  });
  const std::int32_t missing_branch = groups.any_missing ? (missing_right ? 1 : 0) : -1;
  if (order_key(cost, 2, p.column, cut, missing_branch) >= order_key(p.best)) return;
  const double paid = node.cost_of(none, [&](int c) { return left_[c]; }, cost, p.best.cost);
  if (std::isinf(paid) || order_key(paid, 2, p.column, cut, missing_branch) >= order_key(p.best)) return;
  Split& best = p.best;
  best.cost = paid;
  best.column = p.column;
  best.rank = cut;
  best.missing_branch = missing_branch;
  best.cuts.clear();
  best.codes.assign(p.given.code.begin(), p.given.code.begin() + p.given.count);
  best.branch_of.clear();
  for (std::size_t i = 0; i < p.given.count; ++i) best.branch_of.push_back(in_[pooling_.place(i)] ? 0 : 1);
  node.set_weights(best, [&](int c) { return left_[c]; });
}

void SubsetSearch::consider_prefix(const Problem& p, std::size_t size, std::uint64_t cut) {
  std::fill(in_.begin(), in_.end(), char{0});
  for (std::size_t i = 0; i < size; ++i) in_[order_[i]] = 1;
  if (!in_[0])
    for (char& in : in_) in = !in;
  if (p.groups.any_missing) consider(p, cut, false);
  consider(p, cut, true);
}

// The costs of all prefixes of order_ are found in one sweep; only the best is described.
void SubsetSearch::sweep(const Problem& p, bool merge_equal_shares, std::uint64_t first_cut) {
  const Groups& groups = p.groups;
  const NodeTotals& node = p.node;
  const int classes = node.classes;
  double best_cost = p.best.cost;
  std::size_t best_size = 0;
  std::uint64_t cut = first_cut, best_cut = 0;
  prefix_.assign(groups.channels, 0.0);
  left_.resize(groups.channels);
  right_.resize(classes);
  for (std::size_t i = 1; i < groups.count; ++i) {
    for (int c = 0; c < groups.channels; ++c) prefix_[c] += groups.weight(c, order_[i - 1]);
    if (merge_equal_shares &&
        !(share_of(groups, classes, 1, order_[i - 1]) < share_of(groups, classes, 1, order_[i])))
      continue;
    ++cut;
    for (int missing_in = groups.any_missing ? 1 : 0; missing_in >= 0; --missing_in) {
      for (int c = 0; c < groups.channels; ++c) left_[c] = prefix_[c] + (missing_in ? groups.missing[c] : 0.0);
      for (int c = 0; c < classes; ++c) right_[c] = node.total[c] - left_[c];
      const double cost = with_criterion(node.criterion, [&]<Criterion K>() {
        return phi<K>(left_.data(), classes) + phi<K>(right_.data(), classes);
      });
      if (best_size > 0 ? cost >= best_cost : cost > best_cost) continue;
      const double paid = node.cost_of(none, [&](int c) { return left_[c]; }, cost, best_cost);
      if (std::isinf(paid) || (best_size > 0 ? paid >= best_cost : paid > best_cost)) continue;
      best_cost = paid;
      best_size = i;
      best_cut = cut;
    }
  }
  if (best_size > 0) consider_prefix(p, best_size, best_cut);
}

// Each category on the side of its heavier class, the first class on a tie; where a side stays empty, the
// category whose move costs least crosses (AAA18's stump error).
void SubsetSearch::stump(const Problem& p) {
  const Groups& groups = p.groups;
  const std::size_t n = groups.count;
  std::size_t first_class = 0, cheapest = 0;
  const auto margin = [&](std::size_t i) { return std::abs(groups.weight(0, i) - groups.weight(1, i)); };
  for (std::size_t i = 0; i < n; ++i) {
    in_[i] = groups.weight(0, i) >= groups.weight(1, i);
    first_class += in_[i] ? 1 : 0;
    if (margin(i) < margin(cheapest)) cheapest = i;
  }
  if (n > 1) {
    if (first_class == 0 || first_class == n) in_[cheapest] = !in_[cheapest];
    if (!in_[0])
      for (char& in : in_) in = !in;
    if (groups.any_missing) consider(p, 0, false);
    consider(p, 0, true);
  }
  missing_alone(p, 1);
}

void SubsetSearch::two_classes(const Problem& p) {
  sort_by_share(p.groups, p.node.classes, 1, order_);
  sweep(p, true, 0);
  missing_alone(p, p.groups.count);
}

void SubsetSearch::all_masks(const Problem& p) {
  const std::size_t n = p.groups.count;
  const std::uint64_t all = (std::uint64_t{1} << n) - 1;
  for (std::uint64_t mask = 1; mask < all; mask += 2) {
    for (std::size_t i = 0; i < n; ++i) in_[i] = (mask >> i) & 1;
    if (p.groups.any_missing) consider(p, mask, false);
    consider(p, mask, true);
  }
  missing_alone(p, all);
}

void SubsetSearch::shares_in_turn(const Problem& p) {
  const std::uint64_t n = p.groups.count;
  for (int channel = 0; channel < p.node.classes; ++channel) {
    sort_by_share(p.groups, p.node.classes, channel, order_);
    sweep(p, false, static_cast<std::uint64_t>(channel) * n);
  }
  missing_alone(p, static_cast<std::uint64_t>(p.node.classes) * n);
}

void SubsetSearch::missing_alone(const Problem& p, std::uint64_t cut) {
  if (!p.groups.any_missing) return;
  std::fill(in_.begin(), in_.end(), char{1});
  consider(p, cut, true);
}

bool SubsetSearch::run(const Groups& given, const NodeTotals& node, std::uint32_t column, Split& best) {
  if (given.count == 0) return true;
  const Groups& groups = pooling_.run(given, node);
  in_.assign(groups.count, 0);
  const Problem problem{given, groups, node, column, best};
  if (node.criterion == Criterion::stump) stump(problem);
  else if (node.classes == 2) two_classes(problem);
  else if (groups.count <= enumerated_categories) all_masks(problem);
  else shares_in_turn(problem);
  return groups.count <= 2 || (node.classes == 2 ? !node.limited() : groups.count <= enumerated_categories);
}

}  // namespace hardwood
