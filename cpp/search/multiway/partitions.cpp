#include "search/multiway/partitions.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "search/split.hpp"

namespace hardwood {

namespace {

// Calls body(T) for every T within S that holds S's first category and is not S, masks ascending.
template <class Body>
void for_each_first_group(std::uint32_t set, Body body) {
  const std::uint32_t first = set & -set, others = set ^ first;
  for (std::uint32_t sub = 0; sub != others; sub = (sub - others) & others)
    if (!body(first | sub)) return;
}

}  // namespace

struct PartitionSearch::Path {
  std::vector<double> costs;
  std::int32_t missing_branch = -1;

  double total(double rest) const {
    for (std::size_t i = costs.size(); i-- > 0;) rest = costs[i] + rest;
    return rest;
  }
};

void PartitionSearch::fill_costs(const Groups& groups, const NodeTotals& node, bool with_missing,
                                 std::vector<double>& out) const {
  std::vector<double> sum(groups.channels);
  out.assign(std::size_t{1} << count_, impossible);
  for (std::size_t mask = 1; mask < out.size(); ++mask) {
    for (int c = 0; c < groups.channels; ++c) {
      sum[c] = with_missing ? groups.missing[c] : 0.0;
      for (std::size_t i = 0; i < count_; ++i)
        if (mask >> i & 1) sum[c] += groups.weight(c, i);
    }
    if (node.limits.any() && !node.branch_within_limits([&](int c) { return sum[c]; })) continue;
    out[mask] = with_criterion(node.criterion, [&]<Criterion K>() { return phi<K>(sum.data(), node.classes); });
  }
}

std::vector<double> PartitionSearch::next_tail(const std::vector<double>& costs,
                                               const std::vector<double>& tail,
                                               std::vector<double> best) const {
  for (std::uint32_t set = 1; set < best.size(); ++set)
    for_each_first_group(set, [&](std::uint32_t group) {
      best[set] = std::min(best[set], costs[group] + tail[set ^ group]);
      return true;
    });
  return best;
}

void PartitionSearch::run(const Groups& groups, const NodeTotals& node, std::size_t widest) {
  count_ = groups.count;
  any_missing_ = groups.any_missing;
  fill_costs(groups, node, false, costs_);
  if (any_missing_) fill_costs(groups, node, true, placed_costs_);
  tails_.assign({{}, costs_});
  placed_tails_.assign({{}, placed_costs_});
  const std::vector<double> none_yet(costs_.size(), impossible);
  for (std::size_t m = 2; m <= std::min(widest, count_); ++m) {
    if (any_missing_)
      placed_tails_.push_back(
          next_tail(placed_costs_, tails_[m - 1], next_tail(costs_, placed_tails_[m - 1], none_yet)));
    tails_.push_back(next_tail(costs_, tails_[m - 1], none_yet));
  }
}

// The paths that reach the target with this group next and the rest parted into `left` groups.
std::vector<PartitionSearch::Path> PartitionSearch::extend(const std::vector<Path>& paths, std::uint32_t group,
                                                           std::uint32_t rest, std::size_t left,
                                                           double target) const {
  std::vector<Path> out;
  const auto go_on = [&](const Path& path, double cost, double remaining, bool placed_here) {
    Path next = path;
    next.costs.push_back(cost);
    if (placed_here) next.missing_branch = static_cast<std::int32_t>(path.costs.size());
    if (next.total(remaining) == target) out.push_back(std::move(next));
  };
  for (const Path& path : paths) {
    if (!any_missing_ || path.missing_branch >= 0) {
      go_on(path, costs_[group], tails_[left][rest], false);
    } else {
      go_on(path, placed_costs_[group], tails_[left][rest], true);
      go_on(path, costs_[group], placed_tails_[left][rest], false);
    }
  }
  return out;
}

Grouping PartitionSearch::grouping(std::size_t arity) const {
  const double target = cost(arity);
  Grouping out;
  out.branch_of.assign(count_, 0);
  std::vector<Path> paths(1);
  auto set = static_cast<std::uint32_t>((std::size_t{1} << count_) - 1);
  for (std::size_t left = arity - 1; left > 0; --left) {
    for_each_first_group(set, [&](std::uint32_t group) {
      std::vector<Path> next = extend(paths, group, set ^ group, left, target);
      if (next.empty()) return true;
      paths = std::move(next);
      set ^= group;
      return false;
    });
    for (std::uint32_t rest = set; rest; rest &= rest - 1)
      out.branch_of[std::countr_zero(rest)] = static_cast<std::int32_t>(arity - left);
  }
  if (!any_missing_) return out;
  out.missing_branch = static_cast<std::int32_t>(arity - 1);
  for (const Path& path : paths)
    if (path.missing_branch >= 0) out.missing_branch = std::min(out.missing_branch, path.missing_branch);
  return out;
}

}  // namespace hardwood
