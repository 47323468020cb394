// A Python `Tree` -> views of its arrays; the tree keeps them alive.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "tree/tree_view.hpp"

namespace hardwood {

template <class T>
const T* array_of(nanobind::handle tree, const char* name) {
  using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig>;
  return nanobind::cast<Array>(tree.attr(name)).data();
}

// read(member, name) for every array that routing reads; Out is a TreeView or a Tree.
template <class Out, class Read>
void read_routing(Out& out, Read read) {
  read(out.first_child, "first_child");
  read(out.branches, "branches");
  read(out.feature, "feature");
  read(out.kind, "kind");
  read(out.cut_begin, "cut_begin");
  read(out.cut_count, "cut_count");
  read(out.thresholds, "thresholds");
  read(out.integer_thresholds, "integer_thresholds");
  read(out.group_begin, "group_begin");
  read(out.group_count, "group_count");
  read(out.group_codes, "group_codes");
  read(out.group_branches, "group_branches");
  read(out.missing_branch, "missing_branch");
  read(out.default_branch, "default_branch");
}

TreeView view_of(nanobind::handle tree);

}  // namespace hardwood
