// What pruning takes from Python and gives back: the freedom of the nodes, surviving nodes.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "bind/flat_array.hpp"
#include "pruning/error_based.hpp"

namespace hardwood {

// What pruning may do with each node; none: anything.
inline std::vector<Freedom> freedom_of(const std::optional<FlatArray<std::uint8_t>>& freedom,
                                       std::size_t nodes) {
  std::vector<Freedom> out;
  if (!freedom) return out;
  if (freedom->shape(0) != nodes) throw std::invalid_argument("freedom must have one entry per node");
  for (std::size_t i = 0; i < nodes; ++i) out.push_back(static_cast<Freedom>(freedom->data()[i]));
  return out;
}

// The splits that the nodes of the pruned tree ask, and what they know after the pruning. Moves the sums out.
nanobind::dict pruned_to_python(ErrorBasedPruning& pruned);

}  // namespace hardwood
