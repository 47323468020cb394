// What is asked of the factors of many rows, in vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace hardwood {

// weight x round_weight (leaf_factors.hpp), and weight x ln(1 + factor) where the variant is logistic.
struct FactorSums {
  double weight = 0, loss = 0;
};

// Of the whole numbers of some rows.
struct GridSums {
  std::int64_t total = 0, lightest = std::numeric_limits<std::int64_t>::max();
};

struct FactorKernels {
  // `weights` may be null: 1 each.
  FactorSums (*sum)(const double* factor, const double* weights, std::size_t rows);
  FactorSums (*sum_logistic)(const double* factor, const double* weights, std::size_t rows);
  // out[i]: weight x round_weight x scale, which is at most 2^52, rounded; where the weights are whole, so many
  // times the rounded rest.
  GridSums (*round)(const double* factor, const double* weights, bool whole, double scale, std::size_t rows,
                    std::int64_t* out);
  GridSums (*round_logistic)(const double* factor, const double* weights, bool whole, double scale,
                             std::size_t rows, std::int64_t* out);
};

const FactorKernels& factor_kernels();

}  // namespace hardwood
