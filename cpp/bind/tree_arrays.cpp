#include "bind/tree_arrays.hpp"

#include <utility>

#include "bind/arrays.hpp"

namespace hardwood {

nanobind::dict tree_to_python(Tree tree) {
  nanobind::dict out;
  out["parent"] = to_numpy(std::move(tree.parent));
  out["first_child"] = to_numpy(std::move(tree.first_child));
  out["branches"] = to_numpy(std::move(tree.branches));
  out["feature"] = to_numpy(std::move(tree.feature));
  out["kind"] = to_numpy(std::move(tree.kind));
  out["cut_begin"] = to_numpy(std::move(tree.cut_begin));
  out["cut_count"] = to_numpy(std::move(tree.cut_count));
  out["thresholds"] = to_numpy(std::move(tree.thresholds));
  out["integer_thresholds"] = to_numpy(std::move(tree.integer_thresholds));
  out["group_begin"] = to_numpy(std::move(tree.group_begin));
  out["group_count"] = to_numpy(std::move(tree.group_count));
  out["group_codes"] = to_numpy(std::move(tree.group_codes));
  out["group_branches"] = to_numpy(std::move(tree.group_branches));
  out["missing_branch"] = to_numpy(std::move(tree.missing_branch));
  out["missing_seen"] = to_numpy(std::move(tree.missing_seen));
  out["default_branch"] = to_numpy(std::move(tree.default_branch));
  out["depth"] = to_numpy(std::move(tree.depth));
  out["rows"] = to_numpy(std::move(tree.rows));
  out["class_weights"] = to_numpy(std::move(tree.class_weights));
  out["cost"] = to_numpy(std::move(tree.cost));
  if (!tree.share.empty()) out["share"] = to_numpy(std::move(tree.share));
  return out;
}

}  // namespace hardwood
