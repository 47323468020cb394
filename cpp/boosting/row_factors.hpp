// The factors of a list of rows: their sums, and the whole-number weights of a round. Used by rows in memory
// and by parts alike, so that both round in the same way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/pool.hpp"
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

// The sums of blocks of rows, in order: the same bits with and without a pool.
inline FactorTotals sum_factors(const std::vector<double>& factor, const RowWeights& given, bool logistic,
                                Pool* pool) {
  constexpr std::size_t block = 1 << 15;
  const auto sum = logistic ? factor_kernels().sum_logistic : factor_kernels().sum;
  std::vector<FactorTotals> sums((factor.size() + block - 1) / block);
  const auto sum_block = [&](std::size_t b) {
    const std::size_t begin = b * block, rows = std::min(block, factor.size() - begin);
    const double* weights = given.weights ? given.weights + begin : nullptr;
    const auto [weight, loss] = sum(factor.data() + begin, weights, rows);
    sums[b] = {weight, loss, static_cast<double>(rows)};
    if (weights)
      sums[b].rows =
          static_cast<double>(std::count_if(weights, weights + rows, [](double each) { return each > 0; }));
  };
  if (pool) pool->parallel_for(sums.size(), sum_block);
  else
    for (std::size_t b = 0; b < sums.size(); ++b) sum_block(b);
  FactorTotals out{0, 0, 0};
  for (const FactorTotals& each : sums) {
    out.weight += each.weight;
    out.loss += each.loss;
    out.rows += each.rows;
  }
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
inline GridSums round_to_grid(const std::vector<double>& factor, const RowWeights& given, bool logistic,
                              int exponent, std::size_t begin, std::size_t end,
                              std::vector<std::int64_t>& out) {
  const auto round = logistic ? factor_kernels().round_logistic : factor_kernels().round;
  const double* weights = given.weights ? given.weights + begin : nullptr;
  return round(factor.data() + begin, weights, given.whole, std::ldexp(1.0, exponent), end - begin,
               out.data() + begin);
}

}  // namespace hardwood
