#include "base/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace hardwood {

namespace {

struct Legendre {
  double value, slope;
};

// P_n and its derivative at x in (-1, 1), by the three-term recurrence.
Legendre legendre(int n, double x) {
  double before = 1, now = x;
  for (int k = 2; k <= n; ++k) {
    const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  return {now, n * (x * now - before) / (x * x - 1)};
}

}  // namespace

Quadrature gauss_legendre(int points) {
  Quadrature out;
  for (int i = 0; i < points; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5));
    for (int turn = 0; turn < 8; ++turn) {  // Newton's method: far more turns than it needs
      const Legendre at = legendre(points, x);
      x -= at.value / at.slope;
    }
    const double slope = legendre(points, x).slope;
    out.point.push_back((1 - x) / 2);
    out.weight.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return out;
}

}  // namespace hardwood
