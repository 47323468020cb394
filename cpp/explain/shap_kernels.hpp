// Shapley values of one tree for a few rows side by side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hardwood {

constexpr std::size_t shap_lanes = 32;  // rows side by side

// The way from a node to one of its children.
struct ShapEdge {
  std::int32_t parent, branch, child;
  std::int32_t depth;  // of the child; the root's is 0
  std::int32_t above;  // depth of the child of the nearest edge above about the same column; 0: none
  std::int32_t slot;   // of the column
  std::int32_t over;   // number of the edge to the parent; -1 when that is the root
  std::int32_t ended;  // for a leaf: how many edges up from here have no edge after this one; else 0
};

// Edges in reading order, each with `points` factors and credits for the three things that can be true of a
// row: [0] it went another way already at the edge above, [1] it does so here, [2] it takes this edge.
struct ShapProgram {
  const ShapEdge* edges;
  std::size_t count;
  int points, depth;
  const double* start;   // [points]
  const double* factor;  // [count][3][points]
  const double* credit;  // likewise
};

// Room for a tree of this depth: products and sums per point and row, and whether rows take the edges.
constexpr std::size_t shap_numbers(std::size_t depth, std::size_t points) {
  return 2 * (depth + 1) * points * shap_lanes;
}
constexpr std::size_t shap_flags(std::size_t depth) {
  return (depth + 1) * shap_lanes;
}

struct ShapKernels {
  // branch[i]: 0 for x[i] <= threshold, 1 for larger, `missing` for NaN.
  void (*cut)(const double* x, double threshold, std::int32_t missing, std::int32_t* branch);
  // phi[slot * stride + i] grows by the Shapley values of row i. answers[node * shap_lanes + i] is the
  // branch that row i takes at a node, wherever it really went; value[node] counts for leaves.
  void (*add)(const ShapProgram& program, const double* value, const std::int32_t* answers, double* numbers,
              std::int64_t* flags, double* phi, std::size_t stride);
};

const ShapKernels& shap_kernels();

}  // namespace hardwood
