#include "explain/shap.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/columns.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"

namespace hardwood {

namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig>;
using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig>;
using Outputs = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig>;

// Arrays are taken as they are, never converted: a copy would not outlive the cast.
// Row k of values[t] holds scores of the tree's nodes, for output outputs_of_values[t][k].
ExplainedTree explained(nb::handle tree, nb::handle weight, nb::handle values, nb::handle outputs_of_values,
                        std::size_t outputs) {
  ExplainedTree out{view_of(tree), nullptr, {}};
  const auto node_weights = nb::cast<Weights>(weight, false);
  const auto scores = nb::cast<Values>(values, false);
  const auto places = nb::cast<Outputs>(outputs_of_values, false);
  if (node_weights.shape(0) != out.tree.nodes || scores.shape(1) != out.tree.nodes ||
      scores.shape(0) != places.shape(0))
    throw std::invalid_argument("weights and scores must be per node, outputs per row of scores");
  out.weight = node_weights.data();
  for (std::size_t k = 0; k < places.shape(0); ++k) {
    if (places(k) < 0 || static_cast<std::size_t>(places(k)) >= outputs)
      throw std::invalid_argument("no such output");
    out.scores.push_back({places(k), scores.data() + k * out.tree.nodes});
  }
  return out;
}

// rows * columns * outputs Shapley values.
nb::object shap_of(nb::list trees, nb::list weights, nb::list values, nb::list outputs_of_values,
                   nb::list columns, std::size_t rows, std::size_t outputs, int threads) {
  std::vector<ExplainedTree> all;
  for (std::size_t t = 0; t < trees.size(); ++t)
    all.push_back(explained(trees[t], weights[t], values[t], outputs_of_values[t], outputs));
  const BoundColumns bound = bind_columns(columns, rows);
  std::vector<double> phi(rows * bound.inputs.size() * outputs, 0.0);
  const Poll poll = python_poll();
  {
    nb::gil_scoped_release release;
    Pool pool(threads);
    add_shap(all, bound.inputs, rows, outputs, phi.data(), pool, poll);
  }
  return to_numpy(std::move(phi));
}

}  // namespace

void register_shap(nb::module_& m) {
  m.def("shap_values", shap_of, nb::arg("trees"), nb::arg("weights"), nb::arg("values"),
        nb::arg("outputs_of_values"), nb::arg("columns"), nb::arg("rows"), nb::arg("outputs"),
        nb::arg("threads"));
}

}  // namespace hardwood
