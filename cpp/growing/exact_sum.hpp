// A sum of non-negative doubles that does not depend on their order: fixed point with 64 binary places.
// Exact for the costs of nodes, which are 0 or at least about 1 and below 2^60.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/portable.hpp"

namespace hardwood {

class ExactSum {
 public:
  void add(double x) { sum_ += fixed(x); }
  void take(double x) { sum_ -= fixed(x); }
  double value() const { return std::ldexp(static_cast<double>(sum_), -64); }

 private:
  static Wide fixed(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    const auto whole = static_cast<Wide>(std::ldexp(mantissa, 53));
    const int shift = exponent - 53 + 64;
    return shift >= 0 ? whole << shift : whole >> -shift;
  }

  Wide sum_ = 0;
};

}  // namespace hardwood
