#include "search/multiway/multiway_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/binary/subsets.hpp"
#include "search/shares.hpp"

namespace hardwood {

namespace {

// In integers: some branch's class weights are not proportional to the node's (error: both costs are exact).
bool positive_drop(const NodeTotals& node, const Split& split) {
  if (node.criterion == Criterion::error) return split.cost < node.cost;
  if (split.cost < node.cost * NodeTotals::surely_below) return true;
  for (std::int32_t b = 0; b < split.arity; ++b) {
    const double* weights = split.weights.data() + b * node.classes;
    if (node.positive_drop([&](int c) { return weights[c]; }, split.cost)) return true;
  }
  return false;
}

// Fills in class weights from the branch of each group.
void sum_branches(const Groups& groups, int classes, const std::vector<std::int32_t>& branch_of, Split& split) {
  split.weights.assign(static_cast<std::size_t>(split.arity) * classes, 0.0);
  for (int c = 0; c < classes; ++c) {
    for (std::size_t i = 0; i < groups.count; ++i)
      split.weights[branch_of[i] * classes + c] += groups.weight(c, i);
    if (split.missing_branch >= 0) split.weights[split.missing_branch * classes + c] += groups.missing[c];
  }
}

}  // namespace

template <class Cost, class Describe>
void MultiwaySearch::offer(const MultiwayRequest& request, std::uint32_t c, std::size_t first, std::size_t last,
                           Cost cost, Describe describe) {
  struct Option {
    double merit;
    std::size_t arity;
  };
  std::vector<Option> options;
  for (std::size_t k = first; k <= last; ++k)
    if (std::isfinite(cost(k))) options.push_back({(request.node.cost - cost(k)) / request.prices[k], k});
  std::stable_sort(options.begin(), options.end(),
                   [](const Option& a, const Option& b) { return a.merit > b.merit; });
  for (const Option& option : options) {
    Split split;
    split.merit = option.merit;
    split.arity = static_cast<std::int32_t>(option.arity);
    split.column = c;
    if (!precedes_by_merit(split, best_)) return;
    split = describe(option.arity);
    split.cost = cost(option.arity);
    split.merit = option.merit;
    split.column = c;
    if (!positive_drop(request.node, split)) continue;
    if (std::max(0.0, request.node.cost - split.cost) / request.root_weight < request.min_drop) continue;
    best_ = std::move(split);
    return;
  }
}

void MultiwaySearch::try_column(const MultiwayRequest& request, ColumnKind kind, std::uint32_t c,
                                const Groups& groups, const Groups& known) {
  if (groups.count < 3) return;
  if (kind != ColumnKind::category) return intervals(request, c, groups);
  const Groups& known_places = pooling_.run(known, request.node);
  if (known_places.count < 3) return;
  if (&known_places == &known) return groupings(request, c, groups, known);
  pooling_.pool(groups, places_);
  groupings(request, c, places_, known_places);
  if (best_.found() && best_.column == c) pooling_.spread(groups, best_);
}

bool MultiwaySearch::cannot_win(const MultiwayRequest& request, const Groups& groups) const {
  const NodeTotals& node = request.node;
  std::vector<double> weights(node.classes);
  const double finest = with_criterion(node.criterion, [&]<Criterion K>() {
    double sum = phi<K>(groups.missing.data(), node.classes);
    for (std::size_t i = 0; i < groups.count; ++i) {
      for (int c = 0; c < node.classes; ++c) weights[c] = groups.weight(c, i);
      sum += phi<K>(weights.data(), node.classes);
    }
    return sum;
  });
  return cannot_win(request, finest);
}

bool MultiwaySearch::cannot_win(const MultiwayRequest& request, double finest_cost) const {
  const double to_beat = std::max(request.binary_merit, best_.found() ? best_.merit : 0.0);
  constexpr double rounding = 1e-9;  // of sums over many groups
  const double cost = request.node.cost;
  return cost - finest_cost + rounding * cost < to_beat * request.prices[3];
}

void MultiwaySearch::intervals(const MultiwayRequest& request, std::uint32_t c, const Groups& groups) {
  // Of many values only the places that are kept are looked at: all of them are not known where rows are in
  // parts.
  if (groups.count > boundary_points + 1 ? cannot_win(request) : cannot_win(request, groups)) return;
  merge_groups(groups, request.node, merged_);
  between_places(request, c, groups);
}

void MultiwaySearch::try_places(const MultiwayRequest& request, std::uint32_t c, const Groups& groups,
                                MergedGroups merged) {
  if (cannot_win(request)) return;
  merged_ = std::move(merged);
  sum_merged(groups, merged_);
  between_places(request, c, groups);
}

void MultiwaySearch::between_places(const MultiwayRequest& request, std::uint32_t c, const Groups& groups) {
  exact_ &= merged_.exact;
  if (cannot_win(request, merged_.groups)) return;
  contiguous_.run(merged_.groups, request.node, request.widest());
  const auto cost = [&](std::size_t k) { return contiguous_.cost(k); };
  offer(request, c, 3, contiguous_.widest(), cost, [&](std::size_t arity) {
    const Runs runs = contiguous_.runs(arity);
    Split split;
    split.arity = static_cast<std::int32_t>(arity);
    split.missing_branch = runs.missing_branch;
    std::vector<std::int32_t> branch_of(groups.count, 0);
    for (std::size_t b = 1; b < arity; ++b) {
      const std::uint32_t from = merged_.end[runs.begin[b] - 1];
      split.cuts.push_back(groups.code[from - 1]);
      split.below.push_back(groups.code[from - 1]);
      split.above.push_back(groups.code[from]);
      std::fill(branch_of.begin() + from, branch_of.end(), static_cast<std::int32_t>(b));
    }
    sum_branches(groups, request.node.classes, branch_of, split);
    return split;
  });
}

void MultiwaySearch::groupings(const MultiwayRequest& request, std::uint32_t c, const Groups& groups,
                               const Groups& known) {
  const NodeTotals& node = request.node;
  if (cannot_win(request, groups)) return;
  if (node.classes > 2 && groups.count <= enumerated_categories) {
    partitions_.run(groups, node, request.widest());
    const auto cost = [&](std::size_t k) { return partitions_.cost(k); };
    return offer(request, c, 3, partitions_.widest(), cost, [&](std::size_t arity) {
      const Grouping found = partitions_.grouping(arity);
      Split split = grouped(groups, found.branch_of, found.missing_branch);
      sum_branches(groups, node.classes, split.branch_of, split);
      return split;
    });
  }
  const bool two = node.classes == 2;
  bool exact = two && !node.limits.any();
  for (int channel = two ? 1 : 0; channel < node.classes; ++channel)
    exact &= by_share(request, c, groups, known, channel);
  if (exact) return;
  exact_ = false;
  if (groups.count > merged_categories) return one_per_category(request, c, groups);
  merges_.run(groups, node, request.widest());
  const auto cost = [&](std::size_t k) { return merges_.cost(k); };
  offer(request, c, 3, merges_.widest(), cost, [&](std::size_t arity) {
    const Grouping& found = merges_.grouping(arity);
    Split split = grouped(groups, found.branch_of, found.missing_branch);
    sum_branches(groups, node.classes, split.branch_of, split);
    return split;
  });
}

bool MultiwaySearch::by_share(const MultiwayRequest& request, std::uint32_t c, const Groups& groups,
                              const Groups& known, int channel) {
  const NodeTotals& node = request.node;
  sort_by_share(known, node.classes, channel, order_);
  ordered_.begin(groups.channels, groups.count);
  std::vector<std::size_t> first;  // of the categories that share a place in the order
  for (std::size_t i = 0; i < groups.count; ++i) {
    const bool together = i > 0 && node.classes == 2 &&
                          !(share_of(known, node.classes, channel, order_[i - 1]) <
                            share_of(known, node.classes, channel, order_[i]));
    const auto weight = [&](int k) { return groups.weight(k, order_[i]); };
    if (together) {
      for (int k = 0; k < groups.channels; ++k)
        ordered_.left[k * ordered_.stride + ordered_.count] += weight(k);
    } else {
      ordered_.push(static_cast<std::uint32_t>(i), weight);
      first.push_back(i);
    }
  }
  first.push_back(groups.count);
  ordered_.missing = groups.missing;
  ordered_.any_missing = groups.any_missing;
  if (ordered_.count < 3) return true;
  merge_groups(ordered_, node, merged_);
  contiguous_.run(merged_.groups, node, request.widest());
  const auto cost = [&](std::size_t k) { return contiguous_.cost(k); };
  offer(request, c, 3, contiguous_.widest(), cost, [&](std::size_t arity) {
    const Runs runs = contiguous_.runs(arity);
    std::vector<std::int32_t> branch_of(groups.count, 0);
    for (std::size_t b = 1; b < arity; ++b)
      for (std::size_t i = first[merged_.end[runs.begin[b] - 1]]; i < groups.count; ++i)
        branch_of[order_[i]] = static_cast<std::int32_t>(b);
    Split split = grouped(groups, std::move(branch_of), runs.missing_branch);
    sum_branches(groups, node.classes, split.branch_of, split);
    return split;
  });
  return merged_.exact;
}

void MultiwaySearch::one_per_category(const MultiwayRequest& request, std::uint32_t c, const Groups& groups) {
  const NodeTotals& node = request.node;
  const std::size_t n = groups.count;
  if (n > request.widest()) return;
  const auto phi_of = [&](std::size_t i, bool with_missing) {
    std::vector<double> weights(groups.channels);
    for (int k = 0; k < groups.channels; ++k)
      weights[k] = groups.weight(k, i) + (with_missing ? groups.missing[k] : 0.0);
    if (node.limits.any() && !node.branch_within_limits([&](int k) { return weights[k]; }))
      return std::numeric_limits<double>::infinity();
    return with_criterion(node.criterion, [&]<Criterion K>() { return phi<K>(weights.data(), node.classes); });
  };
  std::vector<double> alone(n), joined(n);
  for (std::size_t i = 0; i < n; ++i) {
    alone[i] = phi_of(i, false);
    if (groups.any_missing) joined[i] = phi_of(i, true);
  }
  // Sums from the last branch to the first, without and with the missing values placed.
  double rest = 0, placed = std::numeric_limits<double>::infinity();
  std::size_t where = n - 1;
  for (std::size_t i = n; i-- > 0;) {
    if (groups.any_missing) {
      const double here = i + 1 == n ? joined[i] : joined[i] + rest, later = alone[i] + placed;
      if (here <= later) where = i;
      placed = std::min(here, later);
    }
    rest = i + 1 == n ? alone[i] : alone[i] + rest;
  }
  const double total = groups.any_missing ? placed : rest;
  offer(
      request, c, n, n, [&](std::size_t) { return total; },
      [&](std::size_t) {
        std::vector<std::int32_t> branch_of(n);
        for (std::size_t i = 0; i < n; ++i) branch_of[i] = static_cast<std::int32_t>(i);
        Split split =
            grouped(groups, std::move(branch_of), groups.any_missing ? static_cast<std::int32_t>(where) : -1);
        sum_branches(groups, node.classes, split.branch_of, split);
        return split;
      });
}

Split MultiwaySearch::grouped(const Groups& groups, std::vector<std::int32_t> branch_of,
                              std::int32_t missing_branch) const {
  Split split;
  split.arity = 0;
  std::vector<std::int32_t> number(*std::max_element(branch_of.begin(), branch_of.end()) + 1, -1);
  for (std::int32_t& branch : branch_of) {
    if (number[branch] < 0) number[branch] = split.arity++;
    branch = number[branch];
  }
  split.codes.assign(groups.code.begin(), groups.code.begin() + groups.count);
  split.missing_branch = missing_branch < 0 ? -1 : number[missing_branch];
  split.branch_of = std::move(branch_of);
  return split;
}

}  // namespace hardwood
