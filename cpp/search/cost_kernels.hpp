// Costs of many cuts at once, and bounds on the cuts inside a bucket.
//
// A column at a node is a list of m groups of rows in code order with class weights. `left` holds for
// every class the m + 1 prefix sums, the first 0: position i puts groups 0 .. i-1 left, the rest right.
#pragma once

#include <cstddef>
#include <cstdint>

#include "criteria/criterion.hpp"

namespace hardwood {

struct Prefixes {
  int classes = 0;
  std::size_t stride = 0;         // from one class's sums to the next one's
  const double* left = nullptr;   // left[c * stride + i], i = 0 .. m
  const double* base = nullptr;   // per class: weight that goes left at every position (missing), or zeros
  const double* total = nullptr;  // per class: weight of the node
};

// A column of two classes of which some rows have been seen.
struct SeenColumn {
  const std::int64_t* cells[2];  // per class and code
  int codes = 0;
  int missing_code = -1;           // its cells are not in the order of values; -1: none
  bool buckets = false;            // codes are buckets: cuts inside them count too
  const double* total = nullptr;   // per class: weight of the node
  const double* unseen = nullptr;  // per class: weight of the rows to come
  double* work = nullptr;          // 2 (codes + 1) doubles
};

struct CostKernels {
  // cost[i] = phi(left side) + phi(right side) for i in [0, m]; work holds 3 (m + 1) doubles.
  void (*costs)(Criterion, const Prefixes&, std::size_t m, double* cost, double* work);
  // bound[i] <= cost of every cut within group i, for i in [0, m), given the costs of the positions.
  // docs/theory/rules.md#corners: the group's weight of each class goes wholly to one side; for more than
  // two classes each class's one-versus-rest term is bounded by its own corners.
  void (*bounds)(Criterion, const Prefixes&, std::size_t m, const double* cost, double* bound, double* work);
  // While only some rows have been seen: no cut of the column costs less.
  double (*lowest)(Criterion, const SeenColumn&);
  // cost[i] = phi of groups i .. end-1 (with the base added), for i in [0, end); work holds 2 end doubles.
  void (*intervals)(Criterion, const Prefixes&, std::size_t end, double* cost, double* work);
  // best[i] = min(best[i], cost[i] + rest) for i in [0, end).
  void (*relax)(const double* cost, std::size_t end, double rest, double* best);
};

const CostKernels& cost_kernels();

}  // namespace hardwood
