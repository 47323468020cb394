#include "search/multiway/merges.hpp"

#include <algorithm>
#include <limits>

#include "search/split.hpp"

namespace hardwood {

namespace {

double cost_of(const NodeTotals& node, const std::vector<double>& weights) {
  return with_criterion(node.criterion, [&]<Criterion K>() { return phi<K>(weights.data(), node.classes); });
}

}  // namespace

void MergeSearch::run(const Groups& groups, const NodeTotals& node, std::size_t widest) {
  const std::size_t n = groups.count;
  channels_ = groups.channels;
  alive_.clear();
  owner_.clear();
  weights_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    alive_.push_back(i);
    owner_.push_back(static_cast<std::int32_t>(i));
    for (int c = 0; c < channels_; ++c) weights_.push_back(groups.weight(c, i));
  }
  cost_.resize(n);
  increase_.assign(n, std::vector<double>(n, impossible));
  std::vector<double> sum(channels_);
  for (std::size_t i = 0; i < n; ++i) {
    for (int c = 0; c < channels_; ++c) sum[c] = weights_[i * channels_ + c];
    cost_[i] = cost_of(node, sum);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      for (int c = 0; c < channels_; ++c) sum[c] = weights_[i * channels_ + c] + weights_[j * channels_ + c];
      increase_[i][j] = cost_of(node, sum) - (cost_[i] + cost_[j]);
    }
  found_.assign(std::min(widest, n) + 1, Found{impossible, {}});
  for (; alive_.size() >= 3; merge_cheapest(node))
    if (alive_.size() <= widest) found_[alive_.size()] = describe(groups, node);
}

void MergeSearch::merge_cheapest(const NodeTotals& node) {
  std::size_t into = alive_[0], gone = alive_[1];
  for (std::size_t a = 0; a < alive_.size(); ++a)
    for (std::size_t b = a + 1; b < alive_.size(); ++b)
      if (increase_[alive_[a]][alive_[b]] < increase_[into][gone]) into = alive_[a], gone = alive_[b];
  for (int c = 0; c < channels_; ++c) weights_[into * channels_ + c] += weights_[gone * channels_ + c];
  cost_[into] += cost_[gone] + increase_[into][gone];
  for (std::int32_t& owner : owner_)
    if (owner == static_cast<std::int32_t>(gone)) owner = static_cast<std::int32_t>(into);
  alive_.erase(std::find(alive_.begin(), alive_.end(), gone));
  std::vector<double> sum(channels_);
  for (std::size_t other : alive_) {
    if (other == into) continue;
    for (int c = 0; c < channels_; ++c)
      sum[c] = weights_[into * channels_ + c] + weights_[other * channels_ + c];
    increase_[std::min(into, other)][std::max(into, other)] = cost_of(node, sum) - (cost_[into] + cost_[other]);
  }
}

// The present groups as branches, missing values where they cost least.
MergeSearch::Found MergeSearch::describe(const Groups& groups, const NodeTotals& node) const {
  std::vector<double> alone, joined, sum(channels_);
  const auto limited = [&] {
    const bool fits = !node.limits.any() || node.branch_within_limits([&](int c) { return sum[c]; });
    return fits ? cost_of(node, sum) : impossible;
  };
  for (std::size_t i : alive_) {
    for (int c = 0; c < channels_; ++c) sum[c] = weights_[i * channels_ + c];
    alone.push_back(limited());
    for (int c = 0; c < channels_; ++c) sum[c] += groups.missing[c];
    joined.push_back(limited());
  }
  const std::size_t arity = alive_.size();
  const auto total = [&](std::size_t place) {
    double rest = arity - 1 == place ? joined.back() : alone.back();
    for (std::size_t b = arity - 1; b-- > 0;) rest = (b == place ? joined[b] : alone[b]) + rest;
    return rest;
  };
  Found out{total(arity), {}};
  if (groups.any_missing) {
    out.cost = total(0);
    out.grouping.missing_branch = 0;
    for (std::size_t b = 1; b < arity; ++b)
      if (const double cost = total(b); cost < out.cost) {
        out.cost = cost;
        out.grouping.missing_branch = static_cast<std::int32_t>(b);
      }
  }
  for (std::int32_t owner : owner_)
    out.grouping.branch_of.push_back(static_cast<std::int32_t>(
        std::lower_bound(alive_.begin(), alive_.end(), static_cast<std::size_t>(owner)) - alive_.begin()));
  return out;
}

}  // namespace hardwood
