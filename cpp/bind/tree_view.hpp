// The arrays of a Python Tree, for as long as that object lives.
#pragma once

#include <nanobind/nanobind.h>

#include "tree/tree_view.hpp"

namespace hardwood {

TreeView view_of(nanobind::handle tree);

}  // namespace hardwood
