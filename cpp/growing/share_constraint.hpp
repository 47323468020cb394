// Monotone constraints on the probabilities of a single tree.
//
// A node's probabilities are its class shares, moved towards those of the nodes above it
// (docs/theory/rules.md#leaf-prior). All nodes above a branch are known when its node is split, so they are
// computed here as src/hardwood/tree/leaf_prior.py computes them later, operation by operation: what growth
// compares are the probabilities that the branches would have as leaves. A split of a constrained column is
// admissible only if those of its two branches are in order. Leaves further apart are put in order when the
// tree is grown (pooling/).
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
