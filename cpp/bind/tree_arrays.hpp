// A grown tree's arrays as a Python dict.
#pragma once

#include <nanobind/nanobind.h>

#include "tree/tree.hpp"

namespace hardwood {

nanobind::dict tree_to_python(Tree tree);

}  // namespace hardwood
