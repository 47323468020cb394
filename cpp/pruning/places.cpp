#include "pruning/places.hpp"

namespace hardwood {

Places::Places(const TreeView& tree, const std::uint8_t* missing_seen)
    : tree_(tree), split_(tree.nodes), parent_(tree.nodes, -1), habits_(tree.nodes) {
  for (std::size_t n = 0; n < tree.nodes; ++n) {
    split_[n] = tree.first_child[n] < 0 ? no_split : static_cast<std::int32_t>(n);
    habits_[n] = {tree.missing_branch[n], tree.default_branch[n], missing_seen[n] != 0, {}};
    for (std::int32_t j = 0; j < tree.branches[n]; ++j)
      parent_[tree.first_child[n] + j] = static_cast<std::int32_t>(n);
  }
}

std::vector<std::int32_t> Places::from(std::int32_t place) const {
  std::vector<std::int32_t> found{place};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!is_leaf(found[i]))
      for (std::int32_t j = 0; j < arity(found[i]); ++j) found.push_back(first_child(found[i]) + j);
  return found;
}

std::vector<std::int32_t> Places::lighter_leaves(std::int32_t place, std::int32_t heaviest) const {
  std::vector<std::int32_t> leaves;
  for (std::int32_t j = 0; j < arity(place); ++j) {
    const std::int32_t child = first_child(place) + j;
    if (child == heaviest) continue;
    for (std::int32_t below : from(child))
      if (is_leaf(below)) leaves.push_back(below);
  }
  return leaves;
}

std::vector<std::int32_t> Places::homes() const {
  std::vector<std::int32_t> home(tree_.nodes);
  for (std::size_t n = 0; n < tree_.nodes; ++n)
    home[n] = split_[n] == no_place ? home[parent_[n]] : static_cast<std::int32_t>(n);
  return home;
}

std::vector<std::int32_t> Places::make_leaf(std::int32_t place) {
  const std::vector<std::int32_t> below = from(place);
  std::vector<std::int32_t> leaves;
  for (std::size_t i = 1; i < below.size(); ++i) {
    if (is_leaf(below[i])) leaves.push_back(below[i]);
    split_[below[i]] = no_place;
  }
  split_[place] = no_split;
  return leaves;
}

void Places::raise(std::int32_t place, std::int32_t heaviest, const Met& met) {
  for (std::int32_t j = 0; j < arity(place); ++j) {
    const std::int32_t child = first_child(place) + j;
    if (child == heaviest) continue;
    for (std::int32_t below : from(child)) split_[below] = no_place;
  }
  split_[place] = split_[heaviest];
  split_[heaviest] = no_place;
  for (std::int32_t j = 0; j < arity(place); ++j) parent_[first_child(place) + j] = place;
  for (std::int32_t split : met.missing) habits_[split].missing_seen = true;
  for (const auto& [split, code] : met.unseen)
    habits_[split].added.emplace(code, habits_[split].default_branch);
}

void Places::set_default(std::int32_t split, std::int32_t branch) {
  habits_[split].default_branch = branch;
  if (!habits_[split].missing_seen) habits_[split].missing_branch = branch;
}

void Places::set_default_of_parts(std::int32_t split, std::int32_t branch) {
  habits_[split].default_branch = habits_[split].missing_branch = branch;
}

}  // namespace hardwood
