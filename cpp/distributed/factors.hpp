// A part's share of AdaBoost: the factors of its rows (boosting/booster.hpp), one set per booster.
#pragma once

#include <cstdint>
#include <vector>

#include "boosting/pair_tally.hpp"
#include "boosting/row_factors.hpp"
#include "distributed/part.hpp"

namespace hardwood {

class PartFactors {
 public:
  PartFactors(std::size_t rows, const RowWeights& given, bool logistic, int boosters);

  // The sums, and weight x round_weight as exact addends.
  FactorTotals totals(int booster) const;
  std::vector<double> exact_parts(int booster) const;
  void scale(int booster, double by);

  // weight x factor -> whole numbers on the grid of 2^-exponent; returns their sum.
  std::int64_t round_weights(int booster, int exponent);
  const std::vector<std::int64_t>& weights() const { return weights_; }

  // Sums of the whole weights whose bits above shift + bits are `prefix`, by the next `bits` bits.
  std::vector<std::int64_t> digits(int shift, int bits, std::int64_t prefix) const;

  // Class weights, node by node, of the rows that the tree did not see, after they went down it. The tree has
  // an entry per node, in order; leaves have no children.
  std::vector<std::int64_t> route_absent(Part& part, const SplitBatch& tree);

  // Where rows are pairs: what reaches the leaves of a tree of so many nodes, with the round's weights.
  // nodes[i] of the growing tree is its leaves[i]; routed: rows that it did not see were routed down it.
  PairSums pair_sums(Part& part, const std::vector<std::int32_t>& nodes,
                     const std::vector<std::int32_t>& leaves, std::size_t tree_nodes, bool routed) const;

  // Multiplies the factors of the rows at nodes of the growing tree; of those that were routed.
  void multiply(int booster, const Part& part, const std::vector<std::int32_t>& nodes,
                const std::vector<LeafFactors>& factors);
  void multiply_routed(int booster, Part& part, const std::vector<LeafFactors>& by_node);

 private:
  struct Routed {
    std::int32_t node;
    NodeRows rows;
  };
  void multiply_rows(int booster, const NodeRows& node, const std::vector<std::uint32_t>& list,
                     const LeafFactors& factors);

  RowWeights given_;
  bool logistic_;
  std::vector<std::vector<double>> factor_;
  std::vector<std::int64_t> weights_;
  std::vector<Routed> routed_;
};

}  // namespace hardwood
