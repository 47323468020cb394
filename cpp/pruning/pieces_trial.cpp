#include "pruning/pieces_trial.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace hardwood {

namespace {

// Children have larger numbers than their parent.
double errors_after(const ErrorBasedPruning& pruning, const Raising& raising, PiecesTrial& trial) {
  const SurvivingNodes& surviving = pruning.surviving();
  std::map<std::int32_t, double> errors;
  std::sort(trial.spread.begin(), trial.spread.end(),
            [](const NodeSpread& a, const NodeSpread& b) { return a.node > b.node; });
  for (const NodeSpread& at : trial.spread) {
    double total = 0, largest = 0;
    for (double weight : at.weights) total += weight, largest = std::max(largest, weight);
    // Shares so small that nothing arrives: not a tree that could be grown.
    if (total <= 0) return std::numeric_limits<double>::infinity();
    double own = 0;
    if (surviving.is_leaf(at.node)) own = pruning.estimate(total, total - largest);
    else
      for (std::int32_t j = 0; j < surviving.arity(at.node); ++j)
        own += errors[surviving.first_child(at.node) + j];
    errors[at.node] = own;
  }
  return errors[raising.heaviest];
}

void raise(ErrorBasedPruning& pruning, const Raising& raising, const PiecesTrial& trial) {
  pruning.take_over(raising);
  NodeSums& sums = pruning.sums();
  for (const NodeSpread& at : trial.spread) {
    if (at.node == raising.heaviest) continue;
    std::copy(at.weights.begin(), at.weights.end(),
              &sums.weights[static_cast<std::size_t>(at.node) * sums.classes]);
    sums.rows[at.node] = at.rows;
    sums.share[at.node] = at.share;
    pruning.visit_again(at.node);
  }
  for (const auto& [split, branch] : trial.heaviest_branch) pruning.set_default_of_pieces(split, branch);
  pruning.visit_again(raising.node);
}

}  // namespace

Verdict decide(ErrorBasedPruning& pruning, Raising& raising, PiecesTrial& trial) {
  raising.errors = errors_after(pruning, raising, trial);
  const Verdict verdict = pruning.verdict(raising);
  if (verdict == Verdict::leaf) pruning.make_leaf(raising);
  else if (verdict == Verdict::keep) pruning.keep(raising);
  else raise(pruning, raising, trial);
  return verdict;
}

}  // namespace hardwood
