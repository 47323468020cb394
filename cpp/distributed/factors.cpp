#include "distributed/factors.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/exact_total.hpp"

namespace hardwood {

PartFactors::PartFactors(std::size_t rows, const RowWeights& given, bool logistic, int boosters)
    : given_(given), logistic_(logistic), factor_(boosters, std::vector<double>(rows, 1.0)), weights_(rows) {}

FactorTotals PartFactors::totals(int booster) const {
  return sum_factors(factor_[booster], given_, logistic_, nullptr);
}

std::vector<double> PartFactors::exact_parts(int booster) const {
  return exact_addends(products(factor_[booster], given_, logistic_));
}

void PartFactors::scale(int booster, double by) {
  for (double& factor : factor_[booster]) factor *= by;
}

std::int64_t PartFactors::round_weights(int booster, int exponent) {
  return round_to_grid(factor_[booster], given_, logistic_, exponent, 0, weights_.size(), weights_).total;
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
    KeysBesideCut beside;
    const auto branches = part.divide(at.rows, node.split, part.absent(), beside);
    for (std::size_t b = 0; b < branches.size(); ++b) open.push_back({node.children.at(b), branches[b]});
  }
  return out;
}

PairSums PartFactors::pair_sums(Part& part, const std::vector<std::int32_t>& nodes,
                                const std::vector<std::int32_t>& leaves, std::size_t tree_nodes,
                                bool routed) const {
  PairTally tally(part.pairs(), part.rows(), tree_nodes, part.row_list(), weights_.data());
  const auto add = [&](std::int32_t leaf, const NodeRows& rows, const std::vector<std::uint32_t>& list) {
    if (leaf < 0 || static_cast<std::size_t>(leaf) >= tree_nodes)
      throw std::invalid_argument("a leaf that the tree does not have");
    tally.add(static_cast<std::size_t>(leaf), rows, list);
  };
  for (std::size_t k = 0; k < nodes.size(); ++k) add(leaves.at(k), part.node(nodes[k]), part.row_list());
  if (routed)
    for (const Routed& each : routed_) add(each.node, each.rows, part.absent());
  return tally.take();
}

void PartFactors::multiply_rows(int booster, const NodeRows& node, const std::vector<std::uint32_t>& list,
                                const LeafFactors& factors) {
  for (const ClassRows& piece : node.classes) {
    const double by = piece.label == factors.label ? factors.same : factors.other;
    if (by == 1) continue;
    for (std::uint32_t i = piece.begin; i < piece.end; ++i)
      factor_[booster][list[i]] = std::min(factor_[booster][list[i]] * by, largest_factor);
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
