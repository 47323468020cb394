#include "search/fractional/known_branches.hpp"

namespace hardwood {

Split multiway_of_column(const MultiwayRequest& request, ColumnKind kind, std::uint32_t column,
                         const Groups& known, bool& exact) {
  if (known.count < 3) return {};
  Groups shared = known;
  NodeTotals node = request.node;
  if (known.any_missing) {
    double with_value = 0;
    for (int k = 0; k < node.classes; ++k) with_value += known.left[k * known.stride + known.count];
    if (node.limits.min_weight > 0)
      node.limits.min_weight = limit_with_pieces(node.limits.min_weight, node, with_value);
    share_out_missing(shared, node.classes);
  }
  const MultiwayRequest own{node, request.prices, request.min_drop, request.root_weight, request.binary_merit};
  MultiwaySearch search;
  search.begin();
  search.try_column(own, kind, column, shared, known);
  exact &= search.exact();
  if (!search.best().found()) return {};
  Split best = search.best();
  std::vector<std::int32_t> branch_of = best.branch_of;
  for (std::size_t i = 0; i < known.count && kind != ColumnKind::category; ++i)
    branch_of.push_back(best.interval_branch(known.code[i]));
  const KnownBranches branches(known, node.classes, branch_of, best.arity);
  if (!branches.within(request.node.limits) || !branches.positive_drop(node.criterion)) return {};
  best.weights.clear();  // the division says what each branch gets
  best.set_known(branches.weights(), known.any_missing);
  return best;
}

}  // namespace hardwood
