// Sums over the factors of many rows, in vectors.
#pragma once

#include <cstddef>

namespace hardwood {

// weight x round_weight (leaf_factors.hpp), and weight x ln(1 + factor) where the variant is logistic.
struct FactorSums {
  double weight = 0, loss = 0;
};

struct FactorKernels {
  // `weights` may be null: 1 each.
  FactorSums (*sum)(const double* factor, const double* weights, std::size_t rows);
  FactorSums (*sum_logistic)(const double* factor, const double* weights, std::size_t rows);
};

const FactorKernels& factor_kernels();

}  // namespace hardwood
