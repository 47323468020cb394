#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bind/pruned.hpp"
#include "bind/raising.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "distributed/finished_tree.hpp"
#include "distributed/raising_trials.hpp"

namespace hardwood {

namespace {

void init_trials(RaisingTrials* trials, nb::handle tree, FlatArray<double> class_weights, int classes,
                 double log_confidence, double deviation, double examples) {
  const TreeView view = view_of(tree);
  const std::int64_t* counts = array_of<std::int64_t>(tree, "rows");
  if (class_weights.shape(0) != view.nodes * classes)
    throw std::invalid_argument("class_weights must have one entry per node and class");
  NodeSums sums{classes, to_vector(class_weights), {counts, counts + view.nodes}, {}};
  new (trials) RaisingTrials(view, array_of<std::uint8_t>(tree, "missing_seen"), std::move(sums),
                             PessimisticError(log_confidence, deviation, examples));
}

// Surviving nodes, their heaviest branches, rows of each part to send.
nb::tuple next_trials(RaisingTrials& trials) {
  std::vector<std::int32_t> nodes, heaviest;
  std::vector<std::int64_t> rows;
  for (const Trial& trial : trials.next()) {
    nodes.push_back(trial.node);
    heaviest.push_back(trial.heaviest);
    rows.push_back(trial.rows);
  }
  return nb::make_tuple(to_numpy(std::move(nodes)), to_numpy(std::move(heaviest)), to_numpy(std::move(rows)));
}

nb::list changes(RaisingTrials& trials) {
  nb::list out;
  for (const Change& change : trials.pruning().take_changes()) out.append(change_to_python(change));
  return out;
}

}  // namespace

void register_trials(nb::module_& m) {
  m.def(
      "splits_of_tree",
      [](nb::handle tree, const TablePlan& plan) { return splits_of_tree(view_of(tree), plan); },
      nb::arg("tree"), nb::arg("plan"));
  m.def(
      "cuts_of_tree",
      [](nb::handle tree, const TablePlan& plan) {
        const auto count = nb::len(nb::object(tree.attr("thresholds")));
        return to_numpy(cuts_of_tree(view_of(tree), count, plan));
      },
      nb::arg("tree"), nb::arg("plan"));
  nb::class_<RaisingTrials>(m, "RaisingTrials")
      .def("__init__", init_trials, nb::keep_alive<1, 2>(), nb::arg("tree"), nb::arg("class_weights"),
           nb::arg("classes"), nb::arg("log_confidence"), nb::arg("deviation"), nb::arg("examples"))
      .def("next", next_trials)
      .def("changes", changes)
      .def("where_rows_are",
           [](RaisingTrials& trials) { return to_numpy(trials.pruning().surviving().where_rows_are()); })
      .def("splits",
           [](RaisingTrials& trials) {
             return to_numpy(std::vector<std::int32_t>(trials.pruning().surviving().splits()));
           })
      .def("take", &RaisingTrials::take, nb::arg("arrivals"), nb::arg("unit"))
      .def("pruned", [](RaisingTrials& trials) { return pruned_to_python(trials.pruning()); });
}

}  // namespace hardwood
