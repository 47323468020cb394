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

TreeView view_of(nanobind::handle tree);

}  // namespace hardwood
