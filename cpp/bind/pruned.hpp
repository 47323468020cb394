// A pruned tree's surviving nodes -> Python.
#pragma once

#include <nanobind/nanobind.h>

#include "pruning/error_based.hpp"

namespace hardwood {

// The splits that the nodes of the pruned tree ask, and what they know after the pruning. Moves the sums out.
nanobind::dict pruned_to_python(ErrorBasedPruning& pruned);

}  // namespace hardwood
