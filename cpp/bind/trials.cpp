#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>
#include <type_traits>

#include "bind/pruned.hpp"
#include "bind/raising.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "distributed/finished_tree.hpp"
#include "distributed/fractional_trials.hpp"
#include "distributed/raising_trials.hpp"

namespace hardwood {

namespace {

template <class Trials>
void init_trials(Trials* trials, nb::handle tree, FlatArray<double> class_weights, int classes,
                 double log_confidence, double deviation, double examples, bool raising,
                 std::optional<FlatArray<std::uint8_t>> freedom) {
  const TreeView view = view_of(tree);
  const std::int64_t* counts = array_of<std::int64_t>(tree, "rows");
  if (class_weights.shape(0) != view.nodes * classes)
    throw std::invalid_argument("class_weights must have one entry per node and class");
  NodeSums sums{classes, to_vector(class_weights), {counts, counts + view.nodes}, {}};
  if constexpr (std::is_same_v<Trials, FractionalTrials>) {
    const double* share = array_of<double>(tree, "share");
    sums.share.assign(share, share + view.nodes);
  }
  new (trials)
      Trials(view, array_of<std::uint8_t>(tree, "missing_seen"), std::move(sums),
             PessimisticError(log_confidence, deviation, examples), raising, freedom_of(freedom, view.nodes));
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

template <class Trials>
nb::list changes(Trials& trials) {
  nb::list out;
  for (const Change& change : trials.pruning().take_changes()) out.append(change_to_python(change));
  return out;
}

template <class Trials>
nb::class_<Trials> register_trials_of(nb::module_& m, const char* name) {
  return nb::class_<Trials>(m, name)
      .def("__init__", init_trials<Trials>, nb::keep_alive<1, 2>(), nb::arg("tree"), nb::arg("class_weights"),
           nb::arg("classes"), nb::arg("log_confidence"), nb::arg("deviation"), nb::arg("examples"),
           nb::arg("raising"), nb::arg("freedom").none())
      .def("changes", changes<Trials>)
      .def("where_rows_are",
           [](Trials& trials) { return to_numpy(trials.pruning().surviving().where_rows_are()); })
      .def("splits",
           [](Trials& trials) {
             return to_numpy(std::vector<std::int32_t>(trials.pruning().surviving().splits()));
           })
      .def("take", &Trials::take, nb::arg("arrivals"), nb::arg("unit"))
      .def("pruned", [](Trials& trials) { return pruned_to_python(trials.pruning()); });
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
  register_trials_of<RaisingTrials>(m, "RaisingTrials").def("next", next_trials);
  register_trials_of<FractionalTrials>(m, "FractionalTrials").def("next", &FractionalTrials::next);
}

}  // namespace hardwood
