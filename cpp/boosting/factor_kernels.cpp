#include "boosting/factor_kernels.hpp"

#include <algorithm>

#include "boosting/leaf_factors.hpp"
#include "criteria/criterion.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

// Read at run time: with a 1 that it knows, the compiler makes branches of log2_ratio and no vectors.
const volatile double read_one = 1;

// Strands keep the rounding error far below what decides the grid, and let the compiler use vectors. Their
// number is the same for every instruction set, and so are the bits.
template <bool logistic, bool weighted>
FactorSums sum_strands(const double* __restrict factor, const double* __restrict weights, std::size_t rows) {
  const double one = read_one;
  constexpr std::size_t strands = 16, block = 256;
  double sums[strands] = {}, losses[strands] = {}, weight[block], loss[block];
  for (std::size_t begin = 0; begin < rows; begin += block) {
    const std::size_t count = std::min(block, rows - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const double given = weighted ? weights[begin + i] : 1.0;
      weight[i] = given * round_weight(factor[begin + i], logistic);
      if constexpr (logistic) loss[i] = given * log2_ratio(1 + factor[begin + i], one);
    }
    std::size_t i = 0;
    for (; i + strands <= count; i += strands)
      for (std::size_t k = 0; k < strands; ++k) {
        sums[k] += weight[i + k];
        if constexpr (logistic) losses[k] += loss[i + k];
      }
    for (; i < count; ++i) {
      sums[0] += weight[i];
      if constexpr (logistic) losses[0] += loss[i];
    }
  }
  constexpr double ln2 = 0.69314718055994531;
  FactorSums out;
  for (std::size_t k = 0; k < strands; ++k) {
    out.weight += sums[k];
    out.loss += ln2 * losses[k];
  }
  return out;
}

template <bool logistic>
FactorSums sum(const double* factor, const double* weights, std::size_t rows) {
  return weights ? sum_strands<logistic, true>(factor, weights, rows)
                 : sum_strands<logistic, false>(factor, nullptr, rows);
}

}  // namespace

extern const FactorKernels factor_table;
const FactorKernels factor_table{sum<false>, sum<true>};

}  // namespace hardwood::HARDWOOD_ISA
