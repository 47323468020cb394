// What the Shapley values of a tree need of it, whatever the row: edges in reading order with their
// factors and credits at the points of the quadrature (the formula is in shap.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/quadrature.hpp"
#include "explain/shap_kernels.hpp"
#include "predict/column_blocks.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

class ShapPlan {
 public:
  ShapPlan(const TreeView& tree, const double* weight, UsedColumns& used);

  ShapProgram program() const;
  std::size_t numbers() const { return shap_numbers(depth_, quadrature_.point.size()); }
  std::size_t flags() const { return shap_flags(depth_); }

 private:
  void list_edges(const TreeView& tree, const double* weight, UsedColumns& used);
  void add_edge(ShapEdge edge, double step);
  void end_paths();
  int most_columns() const;
  void set_coefficients(std::size_t edge);

  // Beside each edge: the weight's share that takes it, the product of such shares over the edges about its
  // column down to here, and the nearest of those edges above it (-1: none).
  std::vector<ShapEdge> edges_;
  std::vector<double> step_, share_;
  std::vector<std::int32_t> earlier_;
  std::size_t depth_ = 0;
  Quadrature quadrature_;
  std::vector<double> factor_, credit_;
};

}  // namespace hardwood
