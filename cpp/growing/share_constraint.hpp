// Monotone constraints on the probabilities of a single tree.
//
// A node's probabilities are its class shares, moved towards those of the nodes above it
// (docs/theory/rules.md#leaf-prior). All nodes above a branch are known when its node is split, so they are
// computed here as src/hardwood/tree/leaf_prior.py computes them later, operation by operation: what growth
// compares are the numbers that `predict_proba` gives. A split is admissible only if the probabilities of both
// branches lie within the node's intervals; nothing is clipped, so a tree is class weights and splits as ever.
#pragma once

#include "search/constraint.hpp"

namespace hardwood {

struct ShareRules {
  Signs signs;
  std::vector<std::int32_t> outputs;  // the class of each
  int classes = 0;
  double prior = 0;  // weight of the pseudo-examples
  double unit = 1;   // of whole-number weights, in those of the prior
};

class ShareConstraints : public ConstraintRules {
 public:
  explicit ShareConstraints(ShareRules rules) : rules_(std::move(rules)) {}
  std::shared_ptr<const NodeConstraint> root(std::span<const std::int32_t> labels,
                                             ClassWeights weights) const override;

 private:
  ShareRules rules_;
};

}  // namespace hardwood
