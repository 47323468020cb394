#include "growing/tree_builder.hpp"

#include <limits>

namespace hardwood {

std::int32_t TreeBuilder::add_leaf(std::int32_t parent, const Leaf& leaf) {
  const auto node = static_cast<std::int32_t>(tree_.size());
  tree_.parent.push_back(parent);
  tree_.first_child.push_back(-1);
  tree_.branches.push_back(0);
  tree_.feature.push_back(-1);
  tree_.kind.push_back(leaf_node);
  tree_.cut_begin.push_back(0);
  tree_.cut_count.push_back(0);
  tree_.group_begin.push_back(0);
  tree_.group_count.push_back(0);
  tree_.missing_branch.push_back(-1);
  tree_.missing_seen.push_back(0);
  tree_.default_branch.push_back(-1);
  tree_.depth.push_back(leaf.depth);
  tree_.rows.push_back(leaf.rows);
  tree_.cost.push_back(leaf.totals.cost);
  tree_.share.push_back(leaf.share);
  tree_.class_weights.resize(tree_.class_weights.size() + tree_.classes, 0.0);
  double* weights = tree_.class_weights.data() + tree_.class_weights.size() - tree_.classes;
  for (std::size_t k = 0; k < leaf.labels.size(); ++k) weights[leaf.labels[k]] = leaf.totals.total[k];
  return node;
}

void TreeBuilder::split(std::int32_t node, const Split& split, ColumnKind kind) {
  tree_.first_child[node] = static_cast<std::int32_t>(tree_.size());
  tree_.branches[node] = split.arity;
  tree_.feature[node] = static_cast<std::int32_t>(split.column);
  tree_.default_branch[node] = split.default_branch;
  tree_.missing_seen[node] = split.missing_branch >= 0 ? 1 : 0;
  tree_.missing_branch[node] = split.route_of_missing();
  if (kind == ColumnKind::category) {
    tree_.kind[node] = group_node;
    tree_.group_begin[node] = static_cast<std::int64_t>(tree_.group_codes.size());
    tree_.group_count[node] = static_cast<std::int32_t>(split.codes.size());
    for (std::uint32_t code : split.codes) tree_.group_codes.push_back(static_cast<std::int32_t>(code));
    tree_.group_branches.insert(tree_.group_branches.end(), split.branch_of.begin(), split.branch_of.end());
    return;
  }
  tree_.kind[node] = interval_node;
  if (split.cuts.empty()) return;  // missing against the rest
  tree_.cut_begin[node] = static_cast<std::int64_t>(tree_.thresholds.size());
  tree_.cut_count[node] = static_cast<std::int32_t>(split.cuts.size());
  tree_.thresholds.resize(tree_.thresholds.size() + split.cuts.size(),
                          std::numeric_limits<double>::quiet_NaN());
  tree_.integer_thresholds.resize(tree_.thresholds.size(), 0);
}

}  // namespace hardwood
