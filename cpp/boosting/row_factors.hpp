// The factors of a list of rows: their sums, and the whole-number weights of a round. Used by rows in memory
// and by parts alike, so that both round in the same way.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "boosting/boosting_store.hpp"
#include "criteria/exponential.hpp"

namespace hardwood {

// Weights as the caller gave them: null for 1 each. `whole`: all are whole numbers.
struct RowWeights {
  const double* weights = nullptr;
  bool whole = true;
  double operator[](std::size_t row) const { return weights ? weights[row] : 1.0; }
};

// Strands keep the rounding error far below what decides the grid, and let the compiler use vectors.
template <bool logistic>
FactorTotals sum_factors(const std::vector<double>& factor, const RowWeights& given) {
  constexpr std::size_t strands = 16;
  double sums[strands] = {}, losses[strands] = {};
  const std::size_t n = factor.size();
  std::size_t i = 0;
  const auto add = [&](std::size_t k, std::size_t row, double weight) {
    sums[k] += weight * round_weight(factor[row], logistic);
    if constexpr (logistic) losses[k] += weight * log2_ratio(1 + factor[row], 1.0);
  };
  if (given.weights) {
    for (; i + strands <= n; i += strands)
      for (std::size_t k = 0; k < strands; ++k) add(k, i + k, given.weights[i + k]);
  } else {
    for (; i + strands <= n; i += strands)
      for (std::size_t k = 0; k < strands; ++k) add(k, i + k, 1.0);
  }
  for (; i < n; ++i) add(0, i, given[i]);
  FactorTotals out;
  constexpr double ln2 = 0.69314718055994531;
  for (std::size_t k = 0; k < strands; ++k) {
    out.weight += sums[k];
    out.loss += ln2 * losses[k];
  }
  for (std::size_t row = 0; row < n; ++row) out.rows += given[row] > 0 ? 1 : 0;
  return out;
}

inline FactorTotals sum_factors(const std::vector<double>& factor, const RowWeights& given, bool logistic) {
  return logistic ? sum_factors<true>(factor, given) : sum_factors<false>(factor, given);
}

// weight x round_weight, row by row.
inline std::vector<double> products(const std::vector<double>& factor, const RowWeights& given, bool logistic) {
  std::vector<double> out(factor.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = given[i] * round_weight(factor[i], logistic);
  return out;
}

// Whole numbers on the grid of 2^-exponent. While all weights are whole, weight 2 is the row twice.
inline void round_to_grid(const std::vector<double>& factor, const RowWeights& given, bool logistic,
                          int exponent, std::vector<std::int64_t>& out) {
  const double scale = std::ldexp(1.0, exponent);
  const std::size_t n = factor.size();
  const auto round = [&](auto weigh) {
    if (logistic) {
      for (std::size_t i = 0; i < n; ++i) out[i] = weigh(i, factor[i] / (1 + factor[i]));
    } else {
      for (std::size_t i = 0; i < n; ++i) out[i] = weigh(i, factor[i]);
    }
  };
  if (!given.weights) return round([&](std::size_t, double f) { return std::llrint(f * scale); });
  if (given.whole)
    return round([&](std::size_t i, double f) {
      return static_cast<std::int64_t>(given.weights[i]) * std::llrint(f * scale);
    });
  round([&](std::size_t i, double f) { return std::llrint(given.weights[i] * f * scale); });
}

}  // namespace hardwood
