#include "search/cost_kernels.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

template <Criterion K>
void costs_of_two(const Prefixes& p, std::size_t m, double* __restrict cost) {
  const double* __restrict first = p.left;
  const double* __restrict second = p.left + p.stride;
  const double base0 = p.base[0], base1 = p.base[1], total0 = p.total[0], total1 = p.total[1];
  for (std::size_t i = 0; i <= m; ++i) {
    const double a = first[i] + base0, b = second[i] + base1;
    cost[i] = split_cost<K>(a, b, total0, total1);
  }
}

void sum_over_classes(const Prefixes& p, std::size_t m, double* __restrict sum) {
  for (std::size_t i = 0; i <= m; ++i) sum[i] = 0;
  for (int c = 0; c < p.classes; ++c) {
    const double* __restrict left = p.left + c * p.stride;
    const double base = p.base[c];
    for (std::size_t i = 0; i <= m; ++i) sum[i] += left[i] + base;
  }
}

double total_weight(const Prefixes& p) {
  double sum = 0;
  for (int c = 0; c < p.classes; ++c) sum += p.total[c];
  return sum;
}

template <Criterion K>
void costs_of_many(const Prefixes& p, std::size_t m, double* __restrict cost, double* __restrict work) {
  double* __restrict weight = work;
  double* __restrict left_sum = work + (m + 1);
  double* __restrict right_sum = work + 2 * (m + 1);
  const double all = total_weight(p);
  sum_over_classes(p, m, weight);
  for (std::size_t i = 0; i <= m; ++i) left_sum[i] = right_sum[i] = 0;
  for (int c = 0; c < p.classes; ++c) {
    const double* __restrict left = p.left + c * p.stride;
    const double base = p.base[c], total = p.total[c];
    for (std::size_t i = 0; i <= m; ++i) {
      const double a = left[i] + base;
      if constexpr (K == Criterion::error) {
        left_sum[i] = std::max(left_sum[i], a);
        right_sum[i] = std::max(right_sum[i], total - a);
      } else {
        left_sum[i] += term<K>(a, weight[i]);
        right_sum[i] += term<K>(total - a, all - weight[i]);
      }
    }
  }
  for (std::size_t i = 0; i <= m; ++i) {
    if constexpr (K == Criterion::error)
      cost[i] = 2 * (weight[i] - left_sum[i]) + 2 * ((all - weight[i]) - right_sum[i]);
    else cost[i] = left_sum[i] + right_sum[i];
  }
}

template <Criterion K>
void bounds_of_two(const Prefixes& p, std::size_t m, const double* __restrict cost, double* __restrict bound) {
  const double* __restrict first = p.left;
  const double* __restrict second = p.left + p.stride;
  const double base0 = p.base[0], base1 = p.base[1], total0 = p.total[0], total1 = p.total[1];
  for (std::size_t i = 0; i < m; ++i) {
    const double a0 = first[i] + base0, a1 = first[i + 1] + base0;
    const double b0 = second[i] + base1, b1 = second[i + 1] + base1;
    const double corner1 = split_cost<K>(a1, b0, total0, total1);
    const double corner2 = split_cost<K>(a0, b1, total0, total1);
    bound[i] = std::min(std::min(cost[i], cost[i + 1]), std::min(corner1, corner2));
  }
}

// By km in floats, whose square roots take a fourth of the time. Each of them is off by 3.5 * 2^-24 at most:
// three roundings before the root, one in it and one of the sum.
void km_bounds_of_two(const Prefixes& p, std::size_t m, const double* __restrict cost,
                      double* __restrict bound) {
  constexpr std::size_t block = 256;
  constexpr float twice_less_errors = 2 - 0x1p-20f;
  float a[block + 1], b[block + 1], rest_a[block + 1], rest_b[block + 1], corner[block];
  const double base0 = p.base[0], base1 = p.base[1], total0 = p.total[0], total1 = p.total[1];
  for (std::size_t begin = 0; begin < m; begin += block) {
    const std::size_t count = std::min(block, m - begin);
    const double* __restrict first = p.left + begin;
    const double* __restrict second = first + p.stride;
    for (std::size_t i = 0; i <= count; ++i) {
      a[i] = static_cast<float>(first[i] + base0);
      b[i] = static_cast<float>(second[i] + base1);
      rest_a[i] = static_cast<float>(total0 - (first[i] + base0));
      rest_b[i] = static_cast<float>(total1 - (second[i] + base1));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const float one = std::sqrt(a[i + 1] * b[i]) + std::sqrt(rest_a[i + 1] * rest_b[i]);
      const float other = std::sqrt(a[i] * b[i + 1]) + std::sqrt(rest_a[i] * rest_b[i + 1]);
      corner[i] = std::min(one, other) * twice_less_errors;
    }
    for (std::size_t i = 0; i < count; ++i)
      bound[begin + i] =
          std::min(std::min(cost[begin + i], cost[begin + i + 1]), static_cast<double>(corner[i]));
  }
}

template <Criterion K>
double both_sides(double a, double w, double total, double all) {
  return term<K>(a, w) + term<K>(total - a, all - w);
}

template <Criterion K>
void bounds_of_many(const Prefixes& p, std::size_t m, double* __restrict bound, double* __restrict work) {
  double* __restrict weight = work;
  const double all = total_weight(p);
  sum_over_classes(p, m, weight);
  for (std::size_t i = 0; i < m; ++i) bound[i] = 0;
  for (int c = 0; c < p.classes; ++c) {
    const double* __restrict left = p.left + c * p.stride;
    const double base = p.base[c], total = p.total[c];
    for (std::size_t i = 0; i < m; ++i) {
      const double a = left[i] + base, b = left[i + 1] + base, own = b - a;
      const double low =
          std::min(both_sides<K>(a, weight[i], total, all), both_sides<K>(b, weight[i + 1], total, all));
      const double high = std::min(both_sides<K>(b, weight[i] + own, total, all),
                                   both_sides<K>(a, weight[i + 1] - own, total, all));
      bound[i] += std::min(low, high);
    }
  }
}

// For error the corners need no sum over classes: the best is one class wholly left, another wholly right.
void error_bounds_of_many(const Prefixes& p, std::size_t m, double* bound) {
  const double all = total_weight(p);
  for (std::size_t i = 0; i < m; ++i) {
    double same = 0, left1 = 0, left2 = 0, right1 = 0, right2 = 0;
    int left_class = -1, right_class = -1;
    for (int c = 0; c < p.classes; ++c) {
      const double* left = p.left + c * p.stride;
      const double l = left[i + 1] + p.base[c], r = p.total[c] - (left[i] + p.base[c]);
      same = std::max(same, p.total[c]);
      if (l > left1) left2 = left1, left1 = l, left_class = c;
      else left2 = std::max(left2, l);
      if (r > right1) right2 = right1, right1 = r, right_class = c;
      else right2 = std::max(right2, r);
    }
    const double apart = left_class != right_class ? left1 + right1 : std::max(left1 + right2, left2 + right1);
    bound[i] = 2 * (all - std::max(same, apart));
  }
}

// Stumps: with d the first class's weight on the left less the second's, the mistakes so far are
// d + (all seen of the second) or (all seen of the first) - d, so the extremes of d decide.
double lowest_stump(const SeenColumn& c) {
  const double seen0 = c.total[0] - c.unseen[0], seen1 = c.total[1] - c.unseen[1];
  std::int64_t d = 0, low = 0, high = 0;
  const auto step = [&](int k) {
    const std::int64_t first = c.cells[0][k], second = c.cells[1][k];
    if (c.buckets) {
      low = std::min(low, d - second);
      high = std::max(high, d + first);
    }
    d += first - second;
    low = std::min(low, d);
    high = std::max(high, d);
  };
  const int before = c.missing_code < 0 ? c.codes : c.missing_code;
  for (int k = 0; k < before; ++k) step(k);
  for (int k = before + 1; k < c.codes; ++k) step(k);
  if (c.missing_code >= 0) {
    const std::int64_t missing = c.cells[0][c.missing_code] - c.cells[1][c.missing_code];
    low = std::min(low, low + missing);
    high = std::max(high, high + missing);
  }
  return std::min(seen1 + static_cast<double>(low), seen0 - static_cast<double>(high));
}

// phi(a + b) >= phi(a) + phi(b), so what is seen on either side bounds the cost from below; weight that may
// go to both sides (unseen, missing, in the bucket that is cut) is left out.
template <Criterion K>
double lowest_of(const SeenColumn& c) {
  constexpr int strands = 8;
  double* __restrict first = c.work;
  double* __restrict second = c.work + c.codes + 1;
  std::int64_t sum0 = 0, sum1 = 0;
  int positions = 1;
  first[0] = second[0] = 0;
  for (int k = 0; k < c.codes; ++k) {
    if (k == c.missing_code) continue;
    sum0 += c.cells[0][k];
    sum1 += c.cells[1][k];
    first[positions] = static_cast<double>(sum0);
    second[positions] = static_cast<double>(sum1);
    ++positions;
  }
  const int step = c.buckets ? 1 : 0, end = positions - step;
  const auto all0 = static_cast<double>(sum0), all1 = static_cast<double>(sum1);
  double low[strands];
  for (double& each : low) each = 2 * (c.total[0] + c.total[1]);
  const auto at = [&](int i, int k) {
    const double cost = phi2<K>(first[i], second[i]) + phi2<K>(all0 - first[i + step], all1 - second[i + step]);
    low[k] = std::min(low[k], cost);
  };
  int i = 0;
  for (; i + strands <= end; i += strands)
    for (int k = 0; k < strands; ++k) at(i + k, k);
  for (; i < end; ++i) at(i, 0);
  double out = low[0];
  for (double each : low) out = std::min(out, each);
  return out;
}

double lowest(Criterion criterion, const SeenColumn& column) {
  return with_criterion(criterion, [&]<Criterion K>() {
    if constexpr (K == Criterion::stump) return lowest_stump(column);
    return lowest_of<K>(column);
  });
}

void costs(Criterion criterion, const Prefixes& p, std::size_t m, double* cost, double* work) {
  with_criterion(criterion, [&]<Criterion K>() {
    if (p.classes == 2) costs_of_two<K>(p, m, cost);
    else costs_of_many<K>(p, m, cost, work);
  });
}

void bounds(Criterion criterion, const Prefixes& p, std::size_t m, const double* cost, double* bound,
            double* work) {
  with_criterion(criterion, [&]<Criterion K>() {
    if (p.classes == 2 && K == Criterion::km) km_bounds_of_two(p, m, cost, bound);
    else if (p.classes == 2) bounds_of_two<K>(p, m, cost, bound);
    else if constexpr (K == Criterion::error) error_bounds_of_many(p, m, bound);
    else bounds_of_many<K>(p, m, bound, work);
  });
}

template <Criterion K>
void intervals_of_two(const Prefixes& p, std::size_t end, double* __restrict cost) {
  const double* __restrict first = p.left;
  const double* __restrict second = p.left + p.stride;
  const double to0 = first[end] + p.base[0], to1 = second[end] + p.base[1];
  for (std::size_t i = 0; i < end; ++i) cost[i] = phi2<K>(to0 - first[i], to1 - second[i]);
}

template <Criterion K>
void intervals_of_many(const Prefixes& p, std::size_t end, double* __restrict cost, double* __restrict weight) {
  for (std::size_t i = 0; i < end; ++i) weight[i] = cost[i] = 0;
  for (int c = 0; c < p.classes; ++c) {
    const double* __restrict left = p.left + c * p.stride;
    const double to = left[end] + p.base[c];
    for (std::size_t i = 0; i < end; ++i) weight[i] += to - left[i];
  }
  for (int c = 0; c < p.classes; ++c) {
    const double* __restrict left = p.left + c * p.stride;
    const double to = left[end] + p.base[c];
    for (std::size_t i = 0; i < end; ++i) {
      if constexpr (K == Criterion::error) cost[i] = std::max(cost[i], to - left[i]);
      else cost[i] += term<K>(to - left[i], weight[i]);
    }
  }
  if constexpr (K == Criterion::error)
    for (std::size_t i = 0; i < end; ++i) cost[i] = 2 * (weight[i] - cost[i]);
}

void intervals(Criterion criterion, const Prefixes& p, std::size_t end, double* cost, double* work) {
  with_criterion(criterion, [&]<Criterion K>() {
    if constexpr (K != Criterion::stump) {
      if (p.classes == 2) intervals_of_two<K>(p, end, cost);
      else intervals_of_many<K>(p, end, cost, work);
    }
  });
}

void relax(const double* __restrict cost, std::size_t end, double rest, double* __restrict best) {
  for (std::size_t i = 0; i < end; ++i) {
    const double sum = cost[i] + rest;
    best[i] = sum < best[i] ? sum : best[i];
  }
}

}  // namespace

extern const CostKernels cost_table;
const CostKernels cost_table{costs, bounds, lowest, intervals, relax};

}  // namespace hardwood::HARDWOOD_ISA
