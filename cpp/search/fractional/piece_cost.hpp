// What a split costs when missing values go down every branch in pieces (C4.5's fractional examples).
//
// A column at a node: a is the class weight of the examples that have a value, m of those that miss it, a_j
// the piece of a in branch j, |.| the sum over classes. Branch j gets the share s_j = |a_j|/|a| of every
// missing example, so its class weights are b_j = a_j + s_j m and the split costs sum_j phi(b_j). The b_j are
// no whole numbers, so phi takes the weight of the other classes as a sum of them, never as a difference; on
// whole numbers it has the bits of the ordinary phi.
//
// Whether the drop is positive is decided in integers. Since sum_j b_j = a + m and |b_j| = s_j |a + m|, the
// costs of a strictly concave criterion add up to the node's exactly when b_j = s_j (a + m) for all j, that
// is when a_j = s_j a: missing values do not matter. For error the costs times |a| are whole numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "base/portable.hpp"
#include "search/groups.hpp"
#include "search/rules.hpp"

namespace hardwood {

// One class's term of phi from its own weight and that of the others.
template <Criterion K>
[[gnu::always_inline]] inline double pair_term(double own, double others) {
  if constexpr (K == Criterion::km) return std::sqrt(own * others);
  if constexpr (K == Criterion::gini) return (2 * own) * others / std::max(own + others, 1.0);
  if constexpr (K == Criterion::entropy) return own * log2_ratio(own + others, own);
  return 0;
}

// others[c] is the weight of the classes before c, added in order, and of those after c, from the last on.
inline void sum_others(const double* a, int classes, double* others) {
  double after = 0;
  for (int c = classes; c-- > 0; after += a[c]) others[c] = after;
  double before = 0;
  for (int c = 0; c < classes; before += a[c++]) others[c] = before + others[c];
}

template <Criterion K>
inline double phi_of_pieces(const double* a, const double* others, int classes) {
  if constexpr (K == Criterion::error) return 2 * *std::min_element(others, others + classes);
  double sum = 0;
  for (int c = 0; c < classes; ++c) sum += pair_term<K>(a[c], others[c]);
  return sum;
}

// A column at a node, as far as candidates are judged by it.
class PieceCost {
 public:
  void begin(const Groups& groups, const NodeTotals& node) {
    groups_ = &groups;
    node_ = &node;
    known_.resize(groups.channels);
    for (int c = 0; c < groups.channels; ++c) known_[c] = node.total[c] - groups.missing[c];
    weight_ = sum(known_.data());
    pieces_.resize(node.classes);
    others_.resize(node.classes);
    rest_.resize(node.classes);
  }

  const NodeTotals& node() const { return *node_; }
  double known(int channel) const { return known_[channel]; }
  double sum(const double* a) const {
    double out = 0;
    for (int c = 0; c < node_->classes; ++c) out += a[c];
    return out;
  }

  // Class weights a + s m of a branch whose examples with a value weigh a.
  void with_missing(const double* a, double* out) const {
    const double share = sum(a) / weight_;
    for (int c = 0; c < node_->classes; ++c) out[c] = a[c] + share * groups_->missing[c];
  }

  template <Criterion K>
  double branch(const double* a) {
    with_missing(a, pieces_.data());
    sum_others(pieces_.data(), node_->classes, others_.data());
    return phi_of_pieces<K>(pieces_.data(), others_.data(), node_->classes);
  }

  // Of two branches, the first with class weights `left` among the examples with a value.
  template <Criterion K>
  double split(const double* left) {
    for (int c = 0; c < node_->classes; ++c) rest_[c] = known_[c] - left[c];
    const double first = branch<K>(left);
    return first + branch<K>(rest_.data());
  }

  // Both branches have examples with a value.
  bool divides(const double* left) const {
    const double weight = sum(left);
    return weight > 0 && weight < weight_;
  }

  void note_known(const double* left, Split& split) const {
    const double weight = sum(left);
    split.set_known({static_cast<std::int64_t>(weight), static_cast<std::int64_t>(weight_ - weight)},
                    groups_->any_missing);
  }

  // `left` has a number per channel. Limits are on the examples with a value, as in C4.5; one of which
  // only a piece is here counts with that piece.
  bool admissible(const double* left) const {
    const double weight = sum(left);
    return divides(left) && within_limits(left, weight) && positive_drop(left, weight);
  }

 private:
  bool within_limits(const double* left, double weight) const {
    const BranchLimits& limits = node_->limits;
    if (std::min(weight, weight_ - weight) < limits.min_weight) return false;
    if (limits.min_examples <= 0) return true;
    const double examples = left[node_->classes];
    return std::min(examples, known_[node_->classes] - examples) >= limits.min_examples;
  }

  bool positive_drop(const double* left, double weight) const {
    const auto all = static_cast<Wide>(weight_), own = static_cast<Wide>(weight);
    if (node_->criterion != Criterion::error) {
      for (int c = 0; c < node_->classes; ++c)
        if (static_cast<Wide>(left[c]) * all != static_cast<Wide>(known_[c]) * own) return true;
      return false;
    }
    Wide first = 0, second = 0, together = 0;
    for (int c = 0; c < node_->classes; ++c) {
      const auto a = static_cast<Wide>(left[c]), known = static_cast<Wide>(known_[c]);
      const auto missing = static_cast<Wide>(groups_->missing[c]);
      first = std::max(first, all * a + own * missing);
      second = std::max(second, all * (known - a) + (all - own) * missing);
      together = std::max(together, all * (known + missing));
    }
    return first + second > together;
  }

  const Groups* groups_ = nullptr;
  const NodeTotals* node_ = nullptr;
  std::vector<double> known_, pieces_, others_, rest_;
  double weight_ = 0;  // of the examples with a value
};

}  // namespace hardwood
