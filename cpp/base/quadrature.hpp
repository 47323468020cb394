// Gauss-Legendre quadrature on [0, 1]: n points integrate polynomials of degree 2n - 1 exactly.
#pragma once

#include <vector>

namespace hardwood {

struct Quadrature {
  std::vector<double> point;   // strictly between 0 and 1
  std::vector<double> weight;  // positive, adding up to 1
};

Quadrature gauss_legendre(int points);

}  // namespace hardwood
