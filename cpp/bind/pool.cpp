#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/flat_array.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "pooling/isotonic.hpp"
#include "pooling/meeting_leaves.hpp"

namespace hardwood {

namespace {

// below, above, column
nb::tuple meeting(nb::handle tree, FlatArray<std::int32_t> rank, FlatArray<std::uint8_t> constrained) {
  const TreeView view = view_of(tree);
  if (rank.shape(0) != view.nodes) throw std::invalid_argument("rank must have one entry per node");
  for (std::size_t v = 0; v < view.nodes; ++v) {
    if (view.feature[v] >= static_cast<std::int64_t>(constrained.shape(0)))
      throw std::invalid_argument("constrained must have one entry per column");
    if (view.branches[v] > 2) throw std::invalid_argument("splits must be in two");
  }
  Meetings found =
      meeting_leaves(view, {rank.data(), rank.shape(0)}, {constrained.data(), constrained.shape(0)});
  return nb::make_tuple(to_numpy(std::move(found.below)), to_numpy(std::move(found.above)),
                        to_numpy(std::move(found.column)));
}

nb::object isotonic(FlatArray<double> weight, FlatArray<double> value, FlatArray<std::int32_t> lower,
                    FlatArray<std::int32_t> upper) {
  const std::size_t n = weight.shape(0);
  if (value.shape(0) != n || lower.shape(0) != upper.shape(0))
    throw std::invalid_argument("values must have one entry per weight, pairs two ends");
  std::vector<InOrder> pairs;
  for (std::size_t i = 0; i < lower.shape(0); ++i) {
    const InOrder pair{lower.data()[i], upper.data()[i]};
    for (std::int32_t end : {pair.lower, pair.upper})
      if (end < 0 || static_cast<std::size_t>(end) >= n) throw std::invalid_argument("pairs must lie in range");
    pairs.push_back(pair);
  }
  return to_numpy(isotonic_groups({weight.data(), n}, {value.data(), n}, pairs));
}

}  // namespace

void register_pool(nb::module_& m) {
  m.def("meeting_leaves", meeting, nb::arg("tree"), nb::arg("rank"), nb::arg("constrained"));
  m.def("isotonic_groups", isotonic, nb::arg("weight"), nb::arg("value"), nb::arg("lower"), nb::arg("upper"));
}

}  // namespace hardwood
