#include "base/exact_total.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace hardwood {

namespace {

// Adds x to a sum held as numbers that do not overlap, in ascending order (Shewchuk 1997).
void add(std::vector<double>& parts, double x) {
  std::size_t kept = 0;
  for (double part : parts) {
    if (std::abs(x) < std::abs(part)) std::swap(x, part);
    const double high = x + part;
    const double low = part - (high - x);
    if (low != 0) parts[kept++] = low;
    x = high;
  }
  parts.resize(kept);
  parts.push_back(x);
}

}  // namespace

std::vector<double> exact_addends(std::span<const double> values) {
  std::vector<double> parts;
  for (double value : values) add(parts, value);
  return parts;
}

double exact_total(std::span<const double> values) {
  std::vector<double> parts = exact_addends(values);
  double sum = 0, rest = 0;
  while (!parts.empty() && rest == 0) {
    const double before = sum, part = parts.back();
    parts.pop_back();
    sum = before + part;
    rest = part - (sum - before);
  }
  // Half way between two floats, the parts that are left decide which way to round.
  if (!parts.empty() && ((rest < 0 && parts.back() < 0) || (rest > 0 && parts.back() > 0))) {
    const double twice = 2 * rest, moved = sum + twice;
    if (moved - sum == twice) sum = moved;
  }
  return sum;
}

}  // namespace hardwood
