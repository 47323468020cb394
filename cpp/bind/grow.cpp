#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/growth_options.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "bind/team.hpp"
#include "bind/tree_arrays.hpp"
#include "distributed/parts_store.hpp"
#include "growing/fractional_store.hpp"
#include "growing/grower.hpp"
#include "growing/memory_store.hpp"
#include "growing/rows_by_class.hpp"

namespace hardwood {

namespace {

namespace nb = nanobind;

nb::dict to_python(Growth growth) {
  nb::dict out = tree_to_python(std::move(growth.tree));
  out["exact"] = to_numpy(std::move(growth.exact));
  out["split_nodes"] = to_numpy(std::move(growth.split_nodes));
  out["potential"] = to_numpy(std::move(growth.potential));
  out["error"] = to_numpy(std::move(growth.error));
  out["told"] = to_numpy(std::move(growth.told));
  out["outcome"] = to_numpy(std::move(growth.outcome));
  return out;
}

nb::dict grow_tree(const EncodedTable& table, Labels labels, int classes, Weights weights, Weights examples,
                   const GrowthOptions& options) {
  const std::size_t n = table.rows;
  const Problem problem = problem_of(table, labels, classes, weights, examples, options);
  Prices prices = options.prices();
  const GrowthRules rules = options.rules(prices, table.columns.size(), classes);
  const Poll poll = python_poll();
  Growth growth;
  {
    nb::gil_scoped_release release;
    Pool pool(options.threads);
    std::vector<std::uint32_t> rows;
    const NodeRows root = rows_by_class(labels.data(), problem.weights, n, classes, rows);
    const auto grow_in_memory = [&]<class Cell>(Workspace<Cell> workspace) {
      MemoryStore<Cell> store(workspace, rules, root, rows, pool, poll);
      return grow(store, rules, classes, poll);
    };
    if (options.fractional) {
      FractionalStore store(problem, rules, root, rows, pool, poll);
      growth = grow(store, rules, classes, poll);
    } else if (problem.weights) {
      growth = grow_in_memory(Workspace<std::int64_t>(problem));
    } else {
      growth = grow_in_memory(Workspace<std::uint32_t>(problem));
    }
  }
  return to_python(std::move(growth));
}

// The parts stand at the root, of which these are the sums. Beside the growth: under which names the parts have
// the rows of each leaf, once they have been told of the splits that they do not know.
nb::dict grow_over_parts(const TablePlan& plan, nb::object team, const std::vector<double>& weights,
                         double examples, std::int64_t rows, const HistogramBatch& histogram,
                         const KeySumsBatch& uncoded, const GrowthOptions& options, std::int64_t small_node,
                         nb::object each_split) {
  PythonTeam python_team(std::move(team));
  check_draft(options.draft, plan.columns.size());
  Prices prices = options.prices();
  const GrowthRules rules = options.rules(prices, plan.columns.size(), static_cast<int>(weights.size()));
  const Poll poll = python_poll();
  Growth growth;
  std::vector<std::int32_t> leaves, names;
  SplitBatch untold;
  {
    nb::gil_scoped_release release;
    Pool pool(options.threads);
    PartsStore store(
        python_team, plan, rules,
        {weights, examples, rows, histogram.cells(0), uncoded.sums, options.fractional, small_node}, pool,
        poll);
    const auto show = [&](std::int64_t count) {
      nb::gil_scoped_acquire gil;
      each_split(count);
    };
    growth = grow(store, rules, static_cast<int>(weights.size()), poll, show);
    for (std::size_t node = 0; node < growth.tree.size(); ++node) {
      if (growth.tree.kind[node] != leaf_node) continue;
      for (std::int32_t name : store.names_of(static_cast<std::int32_t>(node))) {
        leaves.push_back(static_cast<std::int32_t>(node));
        names.push_back(name);
      }
    }
    untold = store.take_gathered();
  }
  nb::dict out = to_python(std::move(growth));
  out["part_leaves"] = to_numpy(std::move(leaves));
  out["part_names"] = to_numpy(std::move(names));
  out["untold"] = nb::cast(std::move(untold));
  return out;
}

}  // namespace

void register_grow(nb::module_& m) {
  nb::class_<ConstraintOptions>(m, "ConstraintOptions")
      .def(nb::init<>())
      .def_rw("columns", &ConstraintOptions::columns)
      .def_rw("signs", &ConstraintOptions::signs)
      .def_rw("outputs", &ConstraintOptions::outputs)
      .def_rw("prior", &ConstraintOptions::prior)
      .def_rw("unit", &ConstraintOptions::unit)
      .def_rw("groups", &ConstraintOptions::groups)
      .def_rw("most", &ConstraintOptions::most)
      .def_rw("needs", &ConstraintOptions::needs);
  nb::class_<GrowthOptions>(m, "GrowthOptions")
      .def(nb::init<>())
      .def_rw("criterion", &GrowthOptions::criterion)
      .def_rw("leaf_choice", &GrowthOptions::leaf_choice)
      .def_rw("threads", &GrowthOptions::threads)
      .def_rw("max_leaves", &GrowthOptions::max_leaves)
      .def_rw("max_depth", &GrowthOptions::max_depth)
      .def_rw("min_drop", &GrowthOptions::min_drop)
      .def_rw("min_weight", &GrowthOptions::min_weight)
      .def_rw("min_examples", &GrowthOptions::min_examples)
      .def_rw("min_category_size", &GrowthOptions::min_category_size)
      .def_rw("examples", &GrowthOptions::examples)
      .def_rw("multiway", &GrowthOptions::multiway)
      .def_rw("gamma", &GrowthOptions::gamma)
      .def_rw("max_branches", &GrowthOptions::max_branches)
      .def_rw("fractional", &GrowthOptions::fractional)
      .def_rw("constraints", &GrowthOptions::constraints)
      .def_rw("draft", &GrowthOptions::draft);
  m.def("grow", grow_tree, nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("examples").none(), nb::arg("options"));
  m.def("grow_parts", grow_over_parts, nb::arg("plan"), nb::arg("team"), nb::arg("weights"),
        nb::arg("examples"), nb::arg("rows"), nb::arg("histogram"), nb::arg("uncoded"), nb::arg("options"),
        nb::arg("small_node"), nb::arg("each_split"));
  m.def(
      "threshold_between",
      [](double low, double high, bool whole) { return threshold_between(low, high, whole).value; },
      nb::arg("low"), nb::arg("high"), nb::arg("whole"));
  m.def(
      "integer_threshold_between",
      [](std::int64_t low, std::int64_t high) {
        return integer_threshold_between(std::bit_cast<std::uint64_t>(low), std::bit_cast<std::uint64_t>(high),
                                         true)
            .integer;
      },
      nb::arg("low"), nb::arg("high"));
}

}  // namespace hardwood
