#include "distributed/factors.hpp"

#include <cmath>

#include "base/exact_total.hpp"

namespace hardwood {

PartFactors::PartFactors(std::size_t rows, const double* weights, bool whole, int boosters)
    : given_(weights), whole_(whole), factor_(boosters, std::vector<double>(rows, 1.0)), weights_(rows) {}

// Strands keep the rounding error far below what decides the grid.
double PartFactors::total(int booster) const {
  constexpr std::size_t strands = 16;
  const std::vector<double>& factor = factor_[booster];
  double sums[strands] = {}, sum = 0;
  for (std::size_t i = 0; i < factor.size(); ++i) sums[i % strands] += given(i) * factor[i];
  for (double each : sums) sum += each;
  return sum;
}

std::vector<double> PartFactors::exact_parts(int booster) const {
  const std::vector<double>& factor = factor_[booster];
  std::vector<double> products(factor.size());
  for (std::size_t i = 0; i < factor.size(); ++i) products[i] = given(i) * factor[i];
  return exact_addends(products);
}

void PartFactors::scale(int booster, double by) {
  for (double& factor : factor_[booster]) factor *= by;
}

std::int64_t PartFactors::round_weights(int booster, int exponent) {
  const std::vector<double>& factor = factor_[booster];
  const double scale = std::ldexp(1.0, exponent);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < factor.size(); ++i) {
    if (!given_) weights_[i] = std::llrint(factor[i] * scale);
    else if (whole_) weights_[i] = static_cast<std::int64_t>(given_[i]) * std::llrint(factor[i] * scale);
    else weights_[i] = std::llrint(given_[i] * factor[i] * scale);
    total += weights_[i];
  }
  return total;
}

std::vector<std::int64_t> PartFactors::digits(int shift, int bits, std::int64_t prefix) const {
  std::vector<std::int64_t> out(std::size_t{1} << bits, 0);
  const std::int64_t mask = (std::int64_t{1} << bits) - 1;
  for (std::int64_t weight : weights_)
    if (weight >> (shift + bits) == prefix) out[(weight >> shift) & mask] += weight;
  return out;
}

std::vector<std::int64_t> PartFactors::route_absent(Part& part, const SplitBatch& tree) {
  const int classes = part.label_count();
  std::vector<std::int64_t> out(tree.splits.size() * classes, 0);
  for (const NodeSplit& node : tree.splits)
    if (!node.children.empty()) check_split(node.split, part.plan());
  routed_.clear();
  std::vector<Routed> open{{0, part.absent_root()}};
  while (!open.empty()) {
    const Routed at = std::move(open.back());
    open.pop_back();
    if (at.rows.size() == 0) continue;
    const NodeSplit& node = tree.splits.at(static_cast<std::size_t>(at.node));
    if (node.children.empty()) {
      for (const ClassRows& piece : at.rows.classes)
        for (std::uint32_t i = piece.begin; i < piece.end; ++i)
          out[at.node * classes + piece.label] += weights_[part.absent()[i]];
      routed_.push_back(at);
      continue;
    }
    std::uint64_t below = 0, above = ~std::uint64_t{0};
    const auto branches = part.divide(at.rows, node.split, part.absent(), below, above);
    for (std::size_t b = 0; b < branches.size(); ++b) open.push_back({node.children.at(b), branches[b]});
  }
  return out;
}

void PartFactors::multiply_rows(int booster, const NodeRows& node, const std::vector<std::uint32_t>& list,
                                const LeafFactors& factors) {
  for (const ClassRows& piece : node.classes) {
    const double by = piece.label == factors.label ? factors.same : factors.other;
    if (by == 1) continue;
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) factor_[booster][list[i]] *= by;
  }
}

void PartFactors::multiply(int booster, const Part& part, const std::vector<std::int32_t>& nodes,
                           const std::vector<LeafFactors>& factors) {
  for (std::size_t k = 0; k < nodes.size(); ++k)
    multiply_rows(booster, part.node(nodes[k]), part.row_list(), factors[k]);
}

void PartFactors::multiply_routed(int booster, Part& part, const std::vector<LeafFactors>& by_node) {
  for (const Routed& leaf : routed_) multiply_rows(booster, leaf.rows, part.absent(), by_node[leaf.node]);
}

}  // namespace hardwood
