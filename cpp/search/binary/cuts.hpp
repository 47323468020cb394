// Thresholds of a numeric column at a node.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "search/groups.hpp"
#include "search/rules.hpp"
#include "search/split.hpp"

namespace hardwood {

// One column's cuts at one node, tried with missing values on either side. Owns the buffers, so one object
// serves many columns.
class CutSearch {
 public:
  // `whole`: the groups are the column's all, so that after the last one only missing values are left.
  // `part`: they are some of the column's, and every group's end is a cut.
  enum class Scope { whole, whole_with_bounds, part, part_with_bounds };

  // Tries every cut between groups and missing against the rest; improves `best`. cut_of(i) is the cut
  // whose last group on the left is i; describe(i, cut, split) names what lies on its two sides.
  template <class CutOf, class Describe>
  void run(const Groups& groups, const NodeTotals& node, std::uint32_t column, Scope scope, Split& best,
           CutOf cut_of, Describe describe);

  // The groups hold some of the node's rows: what no cut of the whole column can cost less than
  // (docs/theory/rules.md#corners; of stumps, the mistakes so far). With `inside` cuts within groups count too.
  double lowest(const Groups& groups, const NodeTotals& node, bool inside);

  // After run with bounds: for every group, no cut inside it costs less.
  const std::vector<double>& bounds() const { return bound_; }

 private:
  // Whether both sides of position i have values, and not one of them missing values alone.
  static bool parts_values(const Groups& groups, const NodeTotals& node, std::size_t i, bool missing_right) {
    if (!groups.any_missing || !missing_right) return true;
    for (int c = 0; c < node.classes; ++c)
      if (groups.left[c * groups.stride + i] + groups.missing[c] != node.total[c]) return true;
    return false;
  }
  void evaluate(const Groups& groups, const NodeTotals& node, bool missing_right, bool want_bounds);

  static double lowest_stump(const Groups& groups, std::size_t step, std::size_t cuts);

  // The bounds of groups that could still win, under the node's constraints.
  void tighten(const Groups& groups, const NodeTotals& node, std::uint32_t column, double best);

  std::vector<double> cost_, work_, bound_, side_bound_, zeros_;
};

inline void CutSearch::evaluate(const Groups& groups, const NodeTotals& node, bool missing_right,
                                bool want_bounds) {
  const std::size_t count = groups.count, positions = count + 1;
  if (cost_.size() < positions) {
    cost_.resize(positions);
    work_.resize(3 * positions);
  }
  zeros_.assign(groups.channels, 0.0);
  const double* base = missing_right ? zeros_.data() : groups.missing.data();
  const Prefixes prefixes{node.classes, groups.stride, groups.left.data(), base, node.total.data()};
  const CostKernels& kernels = cost_kernels();
  kernels.costs(node.criterion, prefixes, count, cost_.data(), work_.data());
  if (!want_bounds) return;
  auto& out = missing_right ? bound_ : side_bound_;
  if (out.size() < count) out.resize(count);
  kernels.bounds(node.criterion, prefixes, count, cost_.data(), out.data(), work_.data());
  if (missing_right && groups.any_missing)
    for (std::size_t i = 0; i < count; ++i) bound_[i] = std::min(bound_[i], side_bound_[i]);
}

inline void CutSearch::tighten(const Groups& groups, const NodeTotals& node, std::uint32_t column,
                               double best) {
  const auto classes = static_cast<std::size_t>(node.classes);
  std::vector<double> weights(3 * classes);
  double *left = weights.data(), *inside = left + classes, *right = inside + classes;
  for (std::size_t i = 0; i < groups.count; ++i) {
    if (bound_[i] > best * prune_margin) continue;
    double lowest = std::numeric_limits<double>::infinity();
    for (int side = groups.any_missing ? 0 : 1; side < 2; ++side) {
      for (std::size_t c = 0; c < classes; ++c) {
        left[c] = groups.left[c * groups.stride + i] + (side == 1 ? 0.0 : groups.missing[c]);
        inside[c] = groups.weight(static_cast<int>(c), i);
        right[c] = node.total[c] - left[c] - inside[c];
      }
      lowest = std::min(lowest, node.constraint->bound(column, {left, classes}, {inside, classes},
                                                       {right, classes}, bound_[i]));
    }
    bound_[i] = std::max(bound_[i], lowest);
  }
}

inline double CutSearch::lowest(const Groups& groups, const NodeTotals& node, bool inside) {
  if (groups.count == 0) return 0;
  const std::size_t step = inside ? 1 : 0, cuts = groups.count + 1 - step;
  if (node.criterion == Criterion::stump) return lowest_stump(groups, step, cuts);
  // Per cut the least and the most that can be on its left; what lies between them may go to either side.
  const std::size_t stride = 2 * cuts, last = stride - 1;
  std::vector<double> reach(node.classes * stride);
  for (int c = 0; c < node.classes; ++c) {
    const double* left = groups.left.data() + c * groups.stride;
    const double loose = node.total[c] - left[groups.count];
    for (std::size_t i = 0; i < cuts; ++i) {
      reach[c * stride + 2 * i] = left[i];
      reach[c * stride + 2 * i + 1] = left[i + step] + loose;
    }
  }
  zeros_.assign(node.classes, 0.0);
  if (cost_.size() < stride) {
    cost_.resize(stride);
    work_.resize(3 * stride);
  }
  if (bound_.size() < stride) bound_.resize(stride);
  const Prefixes prefixes{node.classes, stride, reach.data(), zeros_.data(), node.total.data()};
  const CostKernels& kernels = cost_kernels();
  kernels.costs(node.criterion, prefixes, last, cost_.data(), work_.data());
  kernels.bounds(node.criterion, prefixes, last, cost_.data(), bound_.data(), work_.data());
  double out = bound_[0];
  for (std::size_t i = 1; i < cuts; ++i) out = std::min(out, bound_[2 * i]);
  return out;
}

// Either side's mistakes under either labelling; missing values go to one side and are mistakes of one class.
inline double CutSearch::lowest_stump(const Groups& groups, std::size_t step, std::size_t cuts) {
  const double *first = groups.left.data(), *second = first + groups.stride;
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < cuts; ++i) {
    const double right0 = first[groups.count] - first[i + step],
                 right1 = second[groups.count] - second[i + step];
    out = std::min(out, std::min(first[i] + right1, second[i] + right0));
  }
  return groups.any_missing ? out + std::min(groups.missing[0], groups.missing[1]) : out;
}

template <class CutOf, class Describe>
void CutSearch::run(const Groups& groups, const NodeTotals& node, std::uint32_t column, Scope scope,
                    Split& best, CutOf cut_of, Describe describe) {
  for (int side = groups.any_missing ? 0 : 1; side < 2; ++side) {
    const bool missing_right = side == 1;
    const bool bounded = scope == Scope::whole_with_bounds || scope == Scope::part_with_bounds;
    evaluate(groups, node, missing_right, bounded);
    const double* cost = cost_.data();
    // False when the candidate is not admissible.
    const auto consider = [&](std::size_t i) {
      if (cost[i] > best.cost) return true;
      const auto left_of = [&](int c) {
        return groups.left[c * groups.stride + i] + (missing_right ? 0.0 : groups.missing[c]);
      };
      const std::uint64_t cut = cut_of(i - 1);
      const std::int32_t missing_branch = groups.any_missing ? (missing_right ? 1 : 0) : -1;
      if (order_key(cost[i], 2, column, cut, missing_branch) >= order_key(best)) return true;
      const std::uint32_t ordered = parts_values(groups, node, i, missing_right) ? column : none;
      const double paid = node.cost_of(ordered, left_of, cost[i], best.cost);
      if (std::isinf(paid) || order_key(paid, 2, column, cut, missing_branch) >= order_key(best)) return false;
      best.cost = paid;
      best.column = column;
      best.rank = cut;
      best.missing_branch = missing_branch;
      node.set_weights(best, left_of);
      describe(i - 1, cut, best);
      return true;
    };
    // After the last group of a whole column comes missing against the rest.
    const bool part = scope == Scope::part || scope == Scope::part_with_bounds;
    const bool last_too = part || (missing_right && groups.any_missing);
    const std::size_t end = groups.count + (last_too ? 1 : 0);
    if (end < 2) continue;
    const std::size_t lowest = std::min_element(cost + 1, cost + end) - cost;
    // The first of the lowest is the first in the order; where it is not admissible, or costs more under
    // constraints, another may be.
    if (!consider(lowest) || node.constraint)
      for (std::size_t i = 1; i < end; ++i) consider(i);
  }
  if (node.constraint && (scope == Scope::whole_with_bounds || scope == Scope::part_with_bounds))
    tighten(groups, node, column, best.cost);
}

}  // namespace hardwood
