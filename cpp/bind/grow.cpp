#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "bind/tree_arrays.hpp"
#include "growing/fractional_grower.hpp"
#include "growing/grower.hpp"

namespace hardwood {

namespace {

namespace nb = nanobind;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig>;
using Weights = std::optional<nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig>>;

// Rows of positive weight, by class and ascending.
NodeRows rows_by_class(const std::int32_t* labels, const std::int64_t* weights, std::size_t n, int classes,
                       std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> next(classes + 1, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (!weights || weights[i] > 0) ++next[labels[i] + 1];
  for (int c = 0; c < classes; ++c) next[c + 1] += next[c];
  NodeRows root;
  root.end = next[classes];
  for (int c = 0; c < classes; ++c)
    if (next[c + 1] > next[c]) root.classes.push_back({c, next[c], next[c + 1]});
  rows.resize(root.end);
  for (std::size_t i = 0; i < n; ++i)
    if (!weights || weights[i] > 0) rows[next[labels[i]]++] = static_cast<std::uint32_t>(i);
  return root;
}

nb::dict to_python(Growth growth) {
  nb::dict out = tree_to_python(std::move(growth.tree));
  out["exact"] = to_numpy(std::move(growth.exact));
  out["split_nodes"] = to_numpy(std::move(growth.split_nodes));
  out["potential"] = to_numpy(std::move(growth.potential));
  out["error"] = to_numpy(std::move(growth.error));
  return out;
}

struct Options {
  int criterion = 0, leaf_choice = 0, threads = 1;
  std::int64_t max_leaves = 0;
  std::int32_t max_depth = 0;
  double min_drop = 0, min_weight = 0, min_examples = 0;
  bool multiway = false;
  double gamma = 0;               // 0: Hatano's price
  std::int64_t max_branches = 0;  // 0: the budget
  bool fractional = false;
};

nb::dict grow_tree(const EncodedTable& table, Labels labels, int classes, Weights weights, Weights examples,
                   const Options& options) {
  const std::size_t n = table.rows;
  if (labels.shape(0) != n || (weights && weights->shape(0) != n) || (examples && examples->shape(0) != n))
    throw std::invalid_argument("labels and weights must have one entry per row");
  for (std::size_t i = 0; i < n; ++i)
    if (labels.data()[i] < 0 || labels.data()[i] >= classes)
      throw std::invalid_argument("labels must lie in [0, classes)");
  Problem problem;
  problem.table = &table;
  problem.classes = classes;
  problem.weights = weights ? weights->data() : nullptr;
  problem.examples = examples ? examples->data() : nullptr;
  problem.criterion = static_cast<Criterion>(options.criterion);
  GrowthRules rules;
  rules.leaf_choice = static_cast<LeafChoice>(options.leaf_choice);
  rules.max_leaves = options.max_leaves;
  rules.max_depth = options.max_depth;
  rules.min_drop = options.min_drop;
  rules.search = GrowthRules::Search::bounded;
  rules.limits = {options.min_weight, options.min_examples};
  Prices prices(options.gamma, options.max_branches, options.max_leaves);
  if (options.multiway) rules.prices = &prices;
  const Poll poll = python_poll();
  Growth growth;
  {
    nb::gil_scoped_release release;
    Pool pool(options.threads);
    std::vector<std::uint32_t> rows;
    const NodeRows root = rows_by_class(labels.data(), problem.weights, n, classes, rows);
    if (options.fractional) {
      growth = grow_fractional(problem, rules, root, rows, pool, poll);
    } else if (problem.weights) {
      Workspace<std::int64_t> workspace(problem);
      growth = grow(workspace, rules, root, rows, pool, poll);
    } else {
      Workspace<std::uint32_t> workspace(problem);
      growth = grow(workspace, rules, root, rows, pool, poll);
    }
  }
  return to_python(std::move(growth));
}

}  // namespace

void register_grow(nb::module_& m) {
  nb::class_<Options>(m, "GrowthOptions")
      .def(nb::init<>())
      .def_rw("criterion", &Options::criterion)
      .def_rw("leaf_choice", &Options::leaf_choice)
      .def_rw("threads", &Options::threads)
      .def_rw("max_leaves", &Options::max_leaves)
      .def_rw("max_depth", &Options::max_depth)
      .def_rw("min_drop", &Options::min_drop)
      .def_rw("min_weight", &Options::min_weight)
      .def_rw("min_examples", &Options::min_examples)
      .def_rw("multiway", &Options::multiway)
      .def_rw("gamma", &Options::gamma)
      .def_rw("max_branches", &Options::max_branches)
      .def_rw("fractional", &Options::fractional);
  m.def("grow", grow_tree, nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("examples").none(), nb::arg("options"));
}

}  // namespace hardwood
