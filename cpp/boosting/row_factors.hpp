// The factors of a list of rows: their sums, and the whole-number weights of a round. Used by rows in memory
// and by parts alike, so that both round in the same way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "boosting/boosting_store.hpp"
#include "boosting/factor_kernels.hpp"
#include "criteria/exponential.hpp"

namespace hardwood {

// Weights as the caller gave them: null for 1 each. `whole`: all are whole numbers.
struct RowWeights {
  const double* weights = nullptr;
  bool whole = true;
  double operator[](std::size_t row) const { return weights ? weights[row] : 1.0; }
};

// The largest e with 2^e * total <= 2^52.
inline int grid_exponent(double total) {
  int exponent = 0;
  const double mantissa = std::frexp(total, &exponent);
  return mantissa == 0.5 ? 53 - exponent : 52 - exponent;
}

inline FactorTotals sum_factors(const std::vector<double>& factor, const RowWeights& given, bool logistic) {
  const FactorKernels& kernels = factor_kernels();
  const auto [weight, loss] =
      (logistic ? kernels.sum_logistic : kernels.sum)(factor.data(), given.weights, factor.size());
  FactorTotals out{weight, loss, static_cast<double>(factor.size())};
  if (given.weights)
    out.rows = static_cast<double>(
        std::count_if(given.weights, given.weights + factor.size(), [](double each) { return each > 0; }));
  return out;
}

// weight x round_weight, row by row.
inline std::vector<double> products(const std::vector<double>& factor, const RowWeights& given, bool logistic) {
  std::vector<double> out(factor.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = given[i] * round_weight(factor[i], logistic);
  return out;
}

// The whole numbers of rows [begin, end) on the grid of 2^-exponent. While all weights are whole, weight 2 is
// the row twice.
inline void round_to_grid(const std::vector<double>& factor, const RowWeights& given, bool logistic,
                          int exponent, std::size_t begin, std::size_t end, std::vector<std::int64_t>& out) {
  const double scale = std::ldexp(1.0, exponent);
  const auto round = [&](auto weigh) {
    if (logistic) {
      for (std::size_t i = begin; i < end; ++i) out[i] = weigh(i, factor[i] / (1 + factor[i]));
    } else {
      for (std::size_t i = begin; i < end; ++i) out[i] = weigh(i, factor[i]);
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
