#include "pruning/surviving_nodes.hpp"

namespace hardwood {

SurvivingNodes::SurvivingNodes(const TreeView& tree, const std::uint8_t* missing_seen)
    : tree_(tree), split_(tree.nodes), parent_(tree.nodes, -1), unseen_routes_(tree.nodes) {
  for (std::size_t n = 0; n < tree.nodes; ++n) {
    split_[n] = tree.first_child[n] < 0 ? no_split : static_cast<std::int32_t>(n);
    unseen_routes_[n] = {tree.missing_branch[n], tree.default_branch[n], missing_seen[n] != 0, {}};
    for (std::int32_t j = 0; j < tree.branches[n]; ++j)
      parent_[tree.first_child[n] + j] = static_cast<std::int32_t>(n);
  }
}

std::vector<std::int32_t> SurvivingNodes::from(std::int32_t node) const {
  std::vector<std::int32_t> found{node};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!is_leaf(found[i]))
      for (std::int32_t j = 0; j < arity(found[i]); ++j) found.push_back(first_child(found[i]) + j);
  return found;
}

std::vector<std::int32_t> SurvivingNodes::lighter_leaves(std::int32_t node, std::int32_t heaviest) const {
  std::vector<std::int32_t> leaves;
  for (std::int32_t j = 0; j < arity(node); ++j) {
    const std::int32_t child = first_child(node) + j;
    if (child == heaviest) continue;
    for (std::int32_t below : from(child))
      if (is_leaf(below)) leaves.push_back(below);
  }
  return leaves;
}

std::vector<std::int32_t> SurvivingNodes::where_rows_are() const {
  std::vector<std::int32_t> where(tree_.nodes);
  for (std::size_t n = 0; n < tree_.nodes; ++n)
    where[n] = split_[n] == gone_node ? where[parent_[n]] : static_cast<std::int32_t>(n);
  return where;
}

std::vector<std::int32_t> SurvivingNodes::make_leaf(std::int32_t node) {
  const std::vector<std::int32_t> below = from(node);
  std::vector<std::int32_t> leaves;
  for (std::size_t i = 1; i < below.size(); ++i) {
    if (is_leaf(below[i])) leaves.push_back(below[i]);
    split_[below[i]] = gone_node;
  }
  split_[node] = no_split;
  return leaves;
}

void SurvivingNodes::raise(std::int32_t node, std::int32_t heaviest, const Met& met) {
  for (std::int32_t j = 0; j < arity(node); ++j) {
    const std::int32_t child = first_child(node) + j;
    if (child == heaviest) continue;
    for (std::int32_t below : from(child)) split_[below] = gone_node;
  }
  split_[node] = split_[heaviest];
  split_[heaviest] = gone_node;
  for (std::int32_t j = 0; j < arity(node); ++j) parent_[first_child(node) + j] = node;
  for (std::int32_t split : met.missing) unseen_routes_[split].missing_seen = true;
  for (const auto& [split, code] : met.unseen)
    unseen_routes_[split].added.emplace(code, unseen_routes_[split].default_branch);
}

void SurvivingNodes::set_default(std::int32_t split, std::int32_t branch) {
  unseen_routes_[split].default_branch = branch;
  if (!unseen_routes_[split].missing_seen) unseen_routes_[split].missing_branch = branch;
}

void SurvivingNodes::set_default_of_pieces(std::int32_t split, std::int32_t branch) {
  unseen_routes_[split].default_branch = unseen_routes_[split].missing_branch = branch;
}

}  // namespace hardwood
