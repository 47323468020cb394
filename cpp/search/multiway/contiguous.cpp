#include "search/multiway/contiguous.hpp"

#include <algorithm>
#include <limits>

#include "search/split.hpp"

namespace hardwood {

// Costs of the branches chosen so far and where the missing values went.
struct ContiguousSearch::Path {
  std::vector<double> costs;
  std::int32_t missing_branch = -1;

  double total(double rest) const {
    for (std::size_t i = costs.size(); i-- > 0;) rest = costs[i] + rest;
    return rest;
  }
};

void ContiguousSearch::interval_costs(const Groups& groups, const NodeTotals& node, bool with_missing,
                                      std::vector<double>& out) {
  const std::size_t n = groups.count;
  out.resize(n * (n + 1) / 2);
  work_.resize(2 * n);
  const std::vector<double> zeros(groups.channels, 0.0);
  const double* base = with_missing ? groups.missing.data() : zeros.data();
  const Prefixes prefixes{node.classes, groups.stride, groups.left.data(), base, node.total.data()};
  for (std::size_t j = 1; j <= n; ++j) {
    double* cost = out.data() + j * (j - 1) / 2;
    cost_kernels().intervals(node.criterion, prefixes, j, cost, work_.data());
    if (!node.limits.any()) continue;
    for (std::size_t i = 0; i < j; ++i)
      if (!node.branch_within_limits([&](int c) {
            const double* left = groups.left.data() + c * groups.stride;
            return left[j] - left[i] + base[c];
          }))
        cost[i] = impossible;
  }
}

void ContiguousSearch::run(const Groups& groups, const NodeTotals& node, std::size_t widest) {
  const std::size_t n = count_ = groups.count;
  any_missing_ = groups.any_missing;
  interval_costs(groups, node, false, costs_);
  if (any_missing_) interval_costs(groups, node, true, placed_costs_);
  const std::size_t most = std::max<std::size_t>(std::min(widest, n), 1);
  const auto last_runs = [&](const std::vector<double>& costs) {
    std::vector<double> out(n + 1, impossible);
    for (std::size_t i = 0; i < n; ++i) out[i] = interval(costs, i, n);
    return out;
  };
  tails_.assign(2, {});
  tails_[1] = last_runs(costs_);
  placed_tails_.assign(2, {});
  if (any_missing_) placed_tails_[1] = last_runs(placed_costs_);
  for (std::size_t m = 2; m <= most; ++m) {
    std::vector<double> tail(n + 1, impossible);
    for (std::size_t j = n - (m - 1); j > 0; --j)
      cost_kernels().relax(costs_.data() + j * (j - 1) / 2, j, tails_[m - 1][j], tail.data());
    if (any_missing_) {
      std::vector<double> placed(n + 1, impossible);
      for (std::size_t j = n - (m - 1); j > 0; --j) {
        cost_kernels().relax(costs_.data() + j * (j - 1) / 2, j, placed_tails_[m - 1][j], placed.data());
        cost_kernels().relax(placed_costs_.data() + j * (j - 1) / 2, j, tails_[m - 1][j], placed.data());
      }
      placed_tails_.push_back(std::move(placed));
    }
    tails_.push_back(std::move(tail));
  }
}

// The ways to go on with groups [from, to) as one run and `left` runs after it that reach the target.
void ContiguousSearch::extend(const Path& path, std::size_t from, std::size_t to, std::size_t left,
                              double target, std::vector<Path>& out) const {
  const auto go_on = [&](double cost, double rest, bool placed_here) {
    Path next = path;
    next.costs.push_back(cost);
    if (placed_here) next.missing_branch = static_cast<std::int32_t>(path.costs.size());
    if (next.total(rest) == target) out.push_back(std::move(next));
  };
  const bool to_place = any_missing_ && path.missing_branch < 0;
  if (!to_place) return go_on(interval(costs_, from, to), tails_[left][to], false);
  go_on(interval(placed_costs_, from, to), tails_[left][to], true);
  go_on(interval(costs_, from, to), placed_tails_[left][to], false);
}

Runs ContiguousSearch::runs(std::size_t arity) const {
  const double target = cost(arity);
  Runs out;
  std::vector<Path> paths(1), next;
  std::size_t from = 0;
  for (std::size_t left = arity - 1; left > 0; --left) {
    out.begin.push_back(static_cast<std::uint32_t>(from));
    next.clear();
    std::size_t to = from;
    while (next.empty() && to < count_)
      for (++to; const Path& path : paths) extend(path, from, to, left, target, next);
    from = to;
    paths.swap(next);
  }
  out.begin.push_back(static_cast<std::uint32_t>(from));
  out.begin.push_back(static_cast<std::uint32_t>(count_));
  if (!any_missing_) return out;
  out.missing_branch = static_cast<std::int32_t>(arity - 1);
  for (const Path& path : paths)
    if (path.missing_branch >= 0) out.missing_branch = std::min(out.missing_branch, path.missing_branch);
  return out;
}

}  // namespace hardwood
