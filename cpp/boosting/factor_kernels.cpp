#include "boosting/factor_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "boosting/leaf_factors.hpp"
#include "criteria/criterion.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

// Read at run time: with a 1 that it knows, the compiler makes branches of log2_ratio and no vectors.
const volatile double read_one = 1;

constexpr std::size_t factor_strands = 16, factor_rows_a_block = 256;
constexpr std::uint64_t fraction_bits = (std::uint64_t{1} << 52) - 1, bits_of_one = std::uint64_t{1023} << 52;

// The binary logarithm of a product of numbers of at least 1: exponents are added up and fractions, which are
// below 2, multiplied. So rows need no logarithm each, and the product of a block stays below 2^256.
struct Product {
  std::uint64_t exponents[factor_strands] = {};
  double fractions[factor_strands];
  Product() {
    for (double& each : fractions) each = 1;
  }
  [[gnu::always_inline]] void multiply(double by, std::size_t k) {
    const auto bits = std::bit_cast<std::uint64_t>(by);
    exponents[k] += bits >> 52;
    fractions[k] *= std::bit_cast<double>((bits & fraction_bits) | bits_of_one);
  }
  double log2(std::size_t count, double one) const {
    std::uint64_t exponent = 0;
    double fraction = 1;
    for (std::size_t k = 0; k < factor_strands; ++k) {
      exponent += exponents[k];
      fraction *= fractions[k];
    }
    return static_cast<double>(exponent - 1023 * count) + log2_ratio(fraction, one);
  }
};

// Strands keep the rounding error far below what decides the grid, and let the compiler use vectors. Their
// number is the same for every instruction set, and so are the bits.
template <class Add>
[[gnu::always_inline]] inline void in_strands(std::size_t rows, Add add) {
  std::size_t i = 0;
  for (; i + factor_strands <= rows; i += factor_strands)
    for (std::size_t k = 0; k < factor_strands; ++k) add(i + k, k);
  for (; i < rows; ++i) add(i, 0);
}

// The losses of a block: weighted ones have a logarithm each.
template <bool weighted>
double block_loss(const double* __restrict factor, const double* __restrict weights, std::size_t rows,
                  double one) {
  if constexpr (weighted) {
    double loss[factor_rows_a_block], sums[factor_strands] = {}, out = 0;
    for (std::size_t i = 0; i < rows; ++i) loss[i] = weights[i] * log2_ratio(1 + factor[i], one);
    in_strands(rows, [&](std::size_t i, std::size_t k) { sums[k] += loss[i]; });
    for (double each : sums) out += each;
    return out;
  }
  Product product;
  in_strands(rows, [&](std::size_t i, std::size_t k) { product.multiply(1 + factor[i], k); });
  return product.log2(rows, one);
}

template <bool logistic, bool weighted>
FactorSums sum_strands(const double* __restrict factor, const double* __restrict weights, std::size_t rows) {
  constexpr double ln2 = 0.69314718055994531;
  const double one = read_one;
  double sums[factor_strands] = {};
  FactorSums out;
  for (std::size_t begin = 0; begin < rows; begin += factor_rows_a_block) {
    const std::size_t count = std::min(factor_rows_a_block, rows - begin);
    const double* const own = factor + begin;
    const double* const given = weighted ? weights + begin : nullptr;
    in_strands(count, [&](std::size_t i, std::size_t k) {
      const double weight = round_weight(own[i], logistic);
      sums[k] += weighted ? given[i] * weight : weight;
    });
    if constexpr (logistic) out.loss += ln2 * block_loss<weighted>(own, given, count, one);
  }
  for (double each : sums) out.weight += each;
  return out;
}

template <bool logistic>
FactorSums sum(const double* factor, const double* weights, std::size_t rows) {
  return weights ? sum_strands<logistic, true>(factor, weights, rows)
                 : sum_strands<logistic, false>(factor, nullptr, rows);
}

// To the nearest whole number, of two the even one: beyond 2^52 doubles have no fractions, and their last bit
// is 1. Of numbers from 0 to 2^52.
inline std::int64_t rounded(double number) {
  constexpr double no_fractions = 0x1p52;
  return std::bit_cast<std::int64_t>(number + no_fractions) - std::bit_cast<std::int64_t>(no_fractions);
}

template <class Weigh>
GridSums round_each(std::size_t rows, std::int64_t* __restrict out, Weigh weigh) {
  GridSums sums;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t weight = weigh(i);
    out[i] = weight;
    sums.total += weight;
    sums.lightest = weight < sums.lightest ? weight : sums.lightest;
  }
  return sums;
}

template <bool logistic>
GridSums round_to_grid(const double* __restrict factor, const double* __restrict weights, bool whole,
                       double scale, std::size_t rows, std::int64_t* __restrict out) {
  if (!weights)
    return round_each(rows, out,
                      [=](std::size_t i) { return rounded(round_weight(factor[i], logistic) * scale); });
  if (whole)
    return round_each(rows, out, [=](std::size_t i) {
      return static_cast<std::int64_t>(weights[i]) * rounded(round_weight(factor[i], logistic) * scale);
    });
  return round_each(rows, out, [=](std::size_t i) {
    return rounded(weights[i] * round_weight(factor[i], logistic) * scale);
  });
}

}  // namespace

extern const FactorKernels factor_table;
const FactorKernels factor_table{sum<false>, sum<true>, round_to_grid<false>, round_to_grid<true>};

}  // namespace hardwood::HARDWOOD_ISA
