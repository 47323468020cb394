// The permissible criteria as costs: phi(a) = |a| G(a/|a|) of a class-weight vector a
// (docs/theory/rules.md#criteria).
//
// Weights are whole numbers below 2^53 held in doubles, so every sum and difference is exact and only
// the last operations round. Each formula has one order of operations, used by the scalar and by the
// vectorised loops alike; with contraction off both give the same bits on every machine. The formulas
// are always inlined: they are compiled for several instruction sets, and the linker must not mix them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hardwood {

// `stump` is the error of Aziz, Anderton & Aslam (2018), for two classes: the sides of a split predict
// opposite labels, and the cost is the weight of the mistakes. It belongs to a split, not to a node.
enum class Criterion : std::uint8_t { km, gini, entropy, error, stump };

// log2(w / a) for w >= a > 0 as k + (2 / ln 2) atanh(s), s = (w - a 2^k) / (w + a 2^k), with k such
// that |s| <= 0.172. The difference is exact (Sterbenz), so the result keeps its relative accuracy
// when a is close to w. Branch-free, to be vectorised; finite for a = 0.
[[gnu::always_inline]] inline double log2_ratio(double w, double a) {
  constexpr double root2 = 1.4142135623730951;
  constexpr double two_over_ln2 = 2.8853900817779268;
  w = std::max(w, 1.0);
  const auto bits_w = std::bit_cast<std::int64_t>(w);
  const auto bits_a = std::bit_cast<std::int64_t>(a);
  std::int64_t k = (bits_w >> 52) - (bits_a >> 52);
  double scaled = std::bit_cast<double>(bits_a + (k << 52));
  const std::int64_t up = w > scaled * root2 ? 1 : 0;
  const std::int64_t down = w * root2 < scaled ? 1 : 0;
  k += up - down;
  scaled = std::bit_cast<double>(bits_a + (k << 52));
  const double s = (w - scaled) / (w + scaled);
  const double z = s * s;
  double series = two_over_ln2 / 21;
  series = series * z + two_over_ln2 / 19;
  series = series * z + two_over_ln2 / 17;
  series = series * z + two_over_ln2 / 15;
  series = series * z + two_over_ln2 / 13;
  series = series * z + two_over_ln2 / 11;
  series = series * z + two_over_ln2 / 9;
  series = series * z + two_over_ln2 / 7;
  series = series * z + two_over_ln2 / 5;
  series = series * z + two_over_ln2 / 3;
  series = series * z + two_over_ln2;
  // The whole number k as a double without a conversion instruction.
  const double whole = std::bit_cast<double>(std::int64_t{0x4338000000000000} + k) - 0x1.8p52;
  return whole + s * series;
}

// One class's term of phi, for the criteria that are sums over classes.
template <Criterion K>
[[gnu::always_inline]] inline double term(double a, double w) {
  if constexpr (K == Criterion::km) return std::sqrt(a * (w - a));
  if constexpr (K == Criterion::gini) return (2 * a) * (w - a) / std::max(w, 1.0);
  if constexpr (K == Criterion::entropy) return a * log2_ratio(w, a);
  return 0;
}

// phi of two class weights: the same bits as the sum of the two terms.
template <Criterion K>
[[gnu::always_inline]] inline double phi2(double a, double b) {
  if constexpr (K == Criterion::error) return 2 * std::min(a, b);
  if constexpr (K == Criterion::entropy) {
    const double w = a + b;
    return term<K>(a, w) + term<K>(b, w);
  }
  const double one = term<K>(a, a + b);
  return one + one;
}

// Cost of a split of two classes: weights (a, b) left of totals (all_a, all_b).
template <Criterion K>
[[gnu::always_inline]] inline double split_cost(double a, double b, double all_a, double all_b) {
  if constexpr (K == Criterion::stump) return std::min(a + (all_b - b), b + (all_a - a));
  return phi2<K>(a, b) + phi2<K>(all_a - a, all_b - b);
}

// phi of `classes` weights, terms added in class order.
template <Criterion K>
[[gnu::always_inline]] inline double phi(const double* a, int classes) {
  double w = 0, largest = 0, sum = 0;
  for (int c = 0; c < classes; ++c) {
    w += a[c];
    largest = std::max(largest, a[c]);
  }
  if constexpr (K == Criterion::error || K == Criterion::stump) return 2 * (w - largest);
  for (int c = 0; c < classes; ++c) sum += term<K>(a[c], w);
  return sum;
}

// Calls body.template operator()<K>() for the criterion given at run time.
template <class Body>
inline auto with_criterion(Criterion criterion, Body&& body) {
  switch (criterion) {
    case Criterion::km:
      return body.template operator()<Criterion::km>();
    case Criterion::gini:
      return body.template operator()<Criterion::gini>();
    case Criterion::entropy:
      return body.template operator()<Criterion::entropy>();
    case Criterion::error:
      return body.template operator()<Criterion::error>();
    default:
      return body.template operator()<Criterion::stump>();
  }
}

}  // namespace hardwood
