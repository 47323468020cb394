// The sum of float64 numbers, exactly rounded, so that it does not depend on their order.
#pragma once

#include <span>
#include <vector>

namespace hardwood {

// Finite, non-negative numbers whose sum is finite.
double exact_total(std::span<const double> values);

// A few numbers with exactly the same sum.
std::vector<double> exact_addends(std::span<const double> values);

}  // namespace hardwood
