#include <numeric>

#include "base/portable.hpp"
#include "search/binary/subsets.hpp"
#include "search/fractional/fractional_search.hpp"

namespace hardwood {

double FractionalColumns::cost_of_left() {
  return with_criterion(pieces_.node().criterion,
                        [&]<Criterion K>() { return pieces_.split<K>(left_.data()); });
}

bool FractionalColumns::consider(double cost, std::uint32_t column, std::uint64_t rank) {
  // Every candidate is met with one route of missing values.
  if (!(order_key(cost, 2, column, rank, best.missing_branch) < order_key(best))) return false;
  if (!pieces_.admissible(left_.data())) return false;
  best.cost = cost;
  best.column = column;
  best.rank = rank;
  pieces_.note_known(left_.data(), best);
  return true;
}

void FractionalColumns::add_cuts(const Groups& groups, const NodeTotals& node, std::uint32_t column,
                                 std::vector<RankedSplit>& out) {
  pieces_.begin(groups, node);
  left_.resize(groups.channels);
  for (std::size_t i = 0; i + 1 < groups.count; ++i) {
    for (int c = 0; c < groups.channels; ++c) left_[c] = groups.left[c * groups.stride + i + 1];
    if (!pieces_.admissible(left_.data())) continue;
    RankedSplit ranked;
    ranked.split.cost = cost_of_left();
    ranked.split.column = column;
    ranked.split.rank = groups.code[i];
    ranked.split.set_cut(groups.code[i], groups.code[i], groups.code[i + 1]);
    pieces_.note_known(left_.data(), ranked.split);
    out.push_back(std::move(ranked));
  }
}

namespace {

// Both sides of a cut, at one end of a group: per class its own weight and the others'.
struct Corner {
  const double *left, *left_others, *right, *right_others;
};

// Each class's one-versus-rest term is bounded by its own four corners.
template <Criterion K>
double bound_between(const Corner& a, const Corner& b, int classes) {
  double sum = 0;
  for (int c = 0; c < classes; ++c) {
    const auto both = [&](const Corner& own, const Corner& others) {
      return pair_term<K>(own.left[c], others.left_others[c]) +
             pair_term<K>(own.right[c], others.right_others[c]);
    };
    sum += std::min(std::min(both(a, a), both(b, b)), std::min(both(a, b), both(b, a)));
  }
  return sum;
}

// The most that can be right: one class wholly left and another wholly right, or one class on both sides.
double error_bound_between(const Corner& a, const Corner& b, int classes) {
  int left = 0, right = 0;
  double same = 0, weight = b.left[0] + b.left_others[0] + b.right[0] + b.right_others[0];
  for (int c = 0; c < classes; ++c) {
    if (b.left[c] > b.left[left]) left = c;
    if (a.right[c] > a.right[right]) right = c;
    same = std::max(same, a.left[c] + a.right[c]);
  }
  double apart = 0;
  for (int c = 0; c < classes; ++c) {
    if (c != right) apart = std::max(apart, b.left[c] + a.right[right]);
    if (c != left) apart = std::max(apart, b.left[left] + a.right[c]);
  }
  return 2 * (weight - std::max(same, apart));
}

}  // namespace

const std::vector<double>& FractionalColumns::bounds() {
  const Groups& groups = *groups_;
  const int classes = pieces_.node().classes;
  bounds_.resize(groups.count);
  const auto corner = [&](std::size_t i, std::vector<double>& buffer) {
    buffer.resize(5 * classes);
    double* at = buffer.data();
    double* a = at + 4 * classes;
    for (int side = 0; side < 2; ++side, at += 2 * classes) {
      for (int c = 0; c < classes; ++c) {
        const double left = groups.left[c * groups.stride + i];
        a[c] = side == 0 ? left : pieces_.known(c) - left;
      }
      pieces_.with_missing(a, at);
      sum_others(at, classes, at + classes);
    }
    at = buffer.data();
    return Corner{at, at + classes, at + 2 * classes, at + 3 * classes};
  };
  Corner a = corner(0, low_);
  for (std::size_t i = 0; i < groups.count; ++i) {
    const Corner b = corner(i + 1, high_);
    bounds_[i] = with_criterion(pieces_.node().criterion, [&]<Criterion K>() {
      if constexpr (K == Criterion::error) return error_bound_between(a, b, classes);
      return bound_between<K>(a, b, classes);
    });
    low_.swap(high_);
    a = b;
  }
  return bounds_;
}

void FractionalColumns::try_inside(const Groups& groups, const NodeTotals& node, std::uint32_t column,
                                   const double* start, const Piece* first, const Piece* last) {
  pieces_.begin(groups, node);
  left_.assign(start, start + groups.channels);
  for (const Piece* p = first; p != last; ++p) {
    if (p != first && p->code != p[-1].code && consider(cost_of_left(), column, p[-1].code))
      best.set_cut(p[-1].code, p[-1].code, p->code);
    left_[p->channel] += static_cast<double>(p->weight);
    if (groups.channels > node.classes) left_[node.classes] += static_cast<double>(p->examples);
  }
}

// Categories with in_ set against the rest; the side of the first category is branch 0.
void FractionalColumns::consider_subset(std::uint32_t column, std::uint64_t cut) {
  if (!consider(cost_of_left(), column, cut)) return;
  best.cuts.clear();
  const Groups& given = *groups_;
  best.codes.assign(given.code.begin(), given.code.begin() + given.count);
  best.branch_of.clear();
  for (std::size_t i = 0; i < given.count; ++i)
    best.branch_of.push_back(in_[pooling_.place(i)] == in_[0] ? 0 : 1);
  if (!in_[0]) best.set_known({best.known[1], best.known[0]}, given.any_missing);
}

void FractionalColumns::try_prefixes(const Groups& groups, std::uint32_t column, int channel, bool merge,
                                     std::uint64_t first_cut) {
  const auto own = [&](std::size_t i) { return static_cast<Wide>(groups.weight(channel, i)); };
  const auto all = [&](std::size_t i) {
    double sum = 0;
    for (int c = 0; c < pieces_.node().classes; ++c) sum += groups.weight(c, i);
    return static_cast<Wide>(sum);
  };
  const auto less = [&](std::size_t i, std::size_t j) { return own(i) * all(j) < own(j) * all(i); };
  order_.resize(groups.count);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), less);
  in_.assign(groups.count, 0);
  left_.assign(groups.channels, 0.0);
  std::uint64_t cut = first_cut;
  for (std::size_t i = 1; i < groups.count; ++i) {
    in_[order_[i - 1]] = 1;
    for (int c = 0; c < groups.channels; ++c) left_[c] += groups.weight(c, order_[i - 1]);
    if (merge && !less(order_[i - 1], order_[i])) continue;
    consider_subset(column, ++cut);
  }
}

void FractionalColumns::try_subsets(const Groups& given, const NodeTotals& node, std::uint32_t column) {
  groups_ = &given;
  const Groups& groups = pooling_.run(given, node);
  pieces_.begin(groups, node);
  const std::uint64_t n = groups.count;
  if (n < 2) return;
  exact &= n == 2 || (node.classes == 2 ? !node.limits.any() : n <= enumerated_categories);
  if (node.classes == 2) return try_prefixes(groups, column, 1, true, 0);
  if (n > enumerated_categories) {
    for (int channel = 0; channel < node.classes; ++channel)
      try_prefixes(groups, column, channel, false, static_cast<std::uint64_t>(channel) * n);
    return;
  }
  in_.resize(n);
  for (std::uint64_t mask = 1; mask + 1 < std::uint64_t{1} << n; mask += 2) {
    left_.assign(groups.channels, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      in_[i] = (mask >> i) & 1;
      if (in_[i])
        for (int c = 0; c < groups.channels; ++c) left_[c] += groups.weight(c, i);
    }
    consider_subset(column, mask);
  }
}

}  // namespace hardwood
