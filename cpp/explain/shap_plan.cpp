#include "explain/shap_plan.hpp"

#include <algorithm>

namespace hardwood {

ShapPlan::ShapPlan(const TreeView& tree, const double* weight, UsedColumns& used) {
  list_edges(tree, weight, used);
  end_paths();
  quadrature_ = gauss_legendre((most_columns() + 1) / 2);
  factor_.resize(edges_.size() * 3 * quadrature_.point.size());
  credit_.resize(factor_.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) set_coefficients(e);
}

ShapProgram ShapPlan::program() const {
  return {edges_.data(),
          edges_.size(),
          static_cast<int>(quadrature_.point.size()),
          static_cast<int>(depth_),
          quadrature_.weight.data(),
          factor_.data(),
          credit_.data()};
}

void ShapPlan::list_edges(const TreeView& tree, const double* weight, UsedColumns& used) {
  std::vector<ShapEdge> pending;
  const auto look_below = [&](std::int32_t node, std::int32_t edge, std::int32_t depth) {
    for (std::int32_t b = tree.branches[node] - 1; b >= 0; --b)
      pending.push_back(
          {node, b, tree.first_child[node] + b, depth, 0, used.slot_of(tree.feature[node]), edge, 0});
  };
  look_below(0, -1, 1);
  while (!pending.empty()) {
    const ShapEdge edge = pending.back();
    pending.pop_back();
    const double whole = weight[edge.parent];
    add_edge(edge, whole > 0 ? weight[edge.child] / whole : 1.0 / tree.branches[edge.parent]);
    look_below(edge.child, static_cast<std::int32_t>(edges_.size()) - 1, edge.depth + 1);
  }
}

void ShapPlan::add_edge(ShapEdge edge, double step) {
  std::int32_t earlier = edge.over;
  while (earlier >= 0 && edges_[earlier].slot != edge.slot) earlier = edges_[earlier].over;
  if (earlier >= 0) edge.above = edges_[earlier].depth;
  edges_.push_back(edge);
  step_.push_back(step);
  share_.push_back(earlier < 0 ? step : step * share_[earlier]);
  earlier_.push_back(earlier);
  depth_ = std::max<std::size_t>(depth_, edge.depth);
}

// An edge that is not followed by a deeper one leads to a leaf.
void ShapPlan::end_paths() {
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const std::int32_t next = e + 1 < edges_.size() ? edges_[e + 1].depth : 1;
    edges_[e].ended = std::max(edges_[e].depth - next + 1, 0);
  }
}

int ShapPlan::most_columns() const {
  std::vector<int> columns;
  int most = 0;
  for (const ShapEdge& edge : edges_) {
    columns.push_back((edge.over < 0 ? 0 : columns[edge.over]) + (edge.above == 0 ? 1 : 0));
    most = std::max(most, columns.back());
  }
  return most;
}

// The column's term of the integrand is o t + z (1-t). An edge's factor is its term over that of the edge
// above about the same column, which it replaces; its credit is (o - z) over its term, less the credit that
// the edge above will give the same leaves.
void ShapPlan::set_coefficients(std::size_t edge) {
  const std::size_t points = quadrature_.point.size();
  double* factor = factor_.data() + edge * 3 * points;
  double* credit = credit_.data() + edge * 3 * points;
  const bool first = earlier_[edge] < 0;
  const double z = share_[edge], z_above = first ? 1.0 : share_[earlier_[edge]];
  for (std::size_t q = 0; q < points; ++q) {
    const double t = quadrature_.point[q], rest = 1 - t;
    const double term_above = t + z_above * rest;
    const double credit_above = first ? 0.0 : (1 - z_above) / term_above;
    factor[q] = step_[edge];
    factor[points + q] = z * rest / term_above;
    factor[2 * points + q] = (t + z * rest) / term_above;
    credit[q] = 0;
    credit[points + q] = -1 / rest - credit_above;
    credit[2 * points + q] = (1 - z) / (t + z * rest) - credit_above;
  }
}

}  // namespace hardwood
