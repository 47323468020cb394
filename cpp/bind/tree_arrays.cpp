#include "bind/tree_arrays.hpp"

namespace hardwood {

namespace nb = nanobind;

std::vector<nb::dict> trees_to_python(const std::vector<Tree>& trees) {
  std::vector<nb::dict> out(trees.size());
  const auto add = [&]<class T>(const char* name, std::vector<T> Tree::* member) {
    const nb::str key(name);
    const std::vector<nb::object> parts =
        parts_of_one<T>(trees.size(), [&](std::size_t i) -> const std::vector<T>& { return trees[i].*member; });
    for (std::size_t i = 0; i < trees.size(); ++i) out[i][key] = parts[i];
  };
  add("parent", &Tree::parent);
  add("first_child", &Tree::first_child);
  add("branches", &Tree::branches);
  add("feature", &Tree::feature);
  add("kind", &Tree::kind);
  add("cut_begin", &Tree::cut_begin);
  add("cut_count", &Tree::cut_count);
  add("thresholds", &Tree::thresholds);
  add("integer_thresholds", &Tree::integer_thresholds);
  add("group_begin", &Tree::group_begin);
  add("group_count", &Tree::group_count);
  add("group_codes", &Tree::group_codes);
  add("group_branches", &Tree::group_branches);
  add("missing_branch", &Tree::missing_branch);
  add("missing_seen", &Tree::missing_seen);
  add("default_branch", &Tree::default_branch);
  add("depth", &Tree::depth);
  add("rows", &Tree::rows);
  add("class_weights", &Tree::class_weights);
  add("cost", &Tree::cost);
  for (std::size_t i = 0; i < trees.size(); ++i)
    if (!trees[i].share.empty()) out[i]["share"] = to_numpy(trees[i].share);
  return out;
}

nb::dict tree_to_python(Tree tree) {
  std::vector<Tree> alone;
  alone.push_back(std::move(tree));
  return trees_to_python(alone)[0];
}

}  // namespace hardwood
