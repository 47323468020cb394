#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/flat_array.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "pooling/isotonic.hpp"
#include "pooling/meeting_leaves.hpp"
#include "pooling/nearest_pools.hpp"

namespace hardwood {

namespace {

Meetings meeting(nb::handle tree, FlatArray<std::int32_t> rank, FlatArray<std::uint8_t> constrained) {
  const TreeView view = view_of(tree);
  if (rank.shape(0) != view.nodes) throw std::invalid_argument("rank must have one entry per node");
  for (std::size_t v = 0; v < view.nodes; ++v) {
    if (view.feature[v] >= static_cast<std::int64_t>(constrained.shape(0)))
      throw std::invalid_argument("constrained must have one entry per column");
    if (view.branches[v] > 2) throw std::invalid_argument("splits must be in two");
  }
  const Poll poll = python_poll();
  nb::gil_scoped_release release;
  return meeting_leaves(view, {rank.data(), rank.shape(0)}, {constrained.data(), constrained.shape(0)}, poll);
}

// below, above, column
nb::tuple pairs_of(const Meetings& found) {
  std::vector<std::int32_t> below, column;
  for (std::size_t r = 0; r < found.runs.size(); ++r) {
    below.insert(below.end(), found.end(r) - found.runs[r].begin, found.runs[r].below);
    column.insert(column.end(), found.end(r) - found.runs[r].begin, found.runs[r].column);
  }
  return nb::make_tuple(to_numpy(std::move(below)), to_numpy(std::vector(found.above)),
                        to_numpy(std::move(column)));
}

Ordering ordering_of(const Meetings& found, const FlatArray<std::int8_t>& sign,
                     const FlatArray<std::int32_t>& item, std::size_t items) {
  const auto is_item = [&](std::int32_t v) {
    return static_cast<std::size_t>(v) < item.shape(0) && item.data()[v] >= 0 &&
           static_cast<std::size_t>(item.data()[v]) < items;
  };
  for (const Meetings::Run& run : found.runs)
    if (static_cast<std::size_t>(run.column) >= sign.shape(0) || !is_item(run.below))
      throw std::invalid_argument("sign must have one entry per column, item one per node");
  if (!std::all_of(found.above.begin(), found.above.end(), is_item))
    throw std::invalid_argument("items must lie in the range of the values");
  return {found, {sign.data(), sign.shape(0)}, {item.data(), item.shape(0)}};
}

nb::object wrong_pair(const Meetings& found, FlatArray<std::int8_t> sign, FlatArray<std::int32_t> item,
                      FlatArray<double> value) {
  const std::size_t n = value.shape(0);
  const std::optional<InOrder> pair = first_wrong(ordering_of(found, sign, item, n), {value.data(), n});
  return pair ? nb::object(nb::make_tuple(pair->lower, pair->upper)) : nb::object(nb::none());
}

nb::object nearest(const Meetings& found, FlatArray<std::int8_t> sign, FlatArray<std::int32_t> item,
                   FlatArray<double> weight, FlatArray<double> value) {
  const std::size_t n = value.shape(0);
  if (weight.shape(0) != n) throw std::invalid_argument("values must have one entry per weight");
  const Ordering ordering = ordering_of(found, sign, item, n);
  const Poll poll = python_poll();
  std::vector<std::int32_t> group;
  {
    nb::gil_scoped_release release;
    group = nearest_groups(ordering, {weight.data(), n}, {value.data(), n}, poll);
  }
  return to_numpy(std::move(group));
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
  return to_numpy(isotonic_groups({weight.data(), n}, {value.data(), n}, pairs, python_poll()));
}

}  // namespace

void register_pool(nb::module_& m) {
  nb::class_<Meetings>(m, "Meetings")
      .def("pairs", pairs_of)
      .def("first_wrong", wrong_pair, nb::arg("sign"), nb::arg("item"), nb::arg("value"))
      .def("nearest", nearest, nb::arg("sign"), nb::arg("item"), nb::arg("weight"), nb::arg("value"));
  m.def("meeting_leaves", meeting, nb::arg("tree"), nb::arg("rank"), nb::arg("constrained"));
  m.def("isotonic_groups", isotonic, nb::arg("weight"), nb::arg("value"), nb::arg("lower"), nb::arg("upper"));
}

}  // namespace hardwood
