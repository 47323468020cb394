#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/columns.hpp"
#include "bind/flat_array.hpp"
#include "bind/poll.hpp"
#include "bind/pruned.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "pruning/training_rows.hpp"

namespace hardwood {

namespace {

struct PruningRows {
  // (columns, labels, leaf, weight, unit of the weights, whether fractional) of the training rows.
  explicit PruningRows(nb::tuple given)
      : columns(nb::cast<nb::list>(given[0])), labels(nb::cast<FlatArray<std::int32_t>>(given[1])),
        leaf(nb::cast<FlatArray<std::int32_t>>(given[2])), weights(nb::cast<FlatArray<double>>(given[3])),
        unit(nb::cast<double>(given[4])), fractional(nb::cast<bool>(given[5])) {}

  nb::list columns;
  FlatArray<std::int32_t> labels, leaf;
  FlatArray<double> weights;
  double unit;
  bool fractional;
};

void check(const PruningRows& rows, std::size_t nodes, int classes) {
  const std::size_t n = rows.labels.shape(0);
  if (rows.weights.shape(0) != n || rows.leaf.shape(0) != n)
    throw std::invalid_argument("labels, weights and leaves must have one entry per row");
  for (std::size_t i = 0; i < n; ++i)
    if (rows.labels.data()[i] < 0 || rows.labels.data()[i] >= classes || rows.leaf.data()[i] < 0 ||
        static_cast<std::size_t>(rows.leaf.data()[i]) >= nodes)
      throw std::invalid_argument("labels and leaves must lie in range");
}

nb::dict prune_by_error(nb::handle tree, FlatArray<double> class_weights, int classes, double log_confidence,
                        double deviation, double examples, bool raising, nb::tuple given,
                        std::optional<FlatArray<std::uint8_t>> freedom) {
  const TreeView view = view_of(tree);
  const std::int64_t* counts = array_of<std::int64_t>(tree, "rows");
  const PruningRows rows(given);
  check(rows, view.nodes, classes);
  if (class_weights.shape(0) != view.nodes * classes)
    throw std::invalid_argument("class_weights must have one entry per node and class");
  NodeSums sums{classes, to_vector(class_weights), {counts, counts + view.nodes}, {}};
  if (rows.fractional) {
    const double* share = array_of<double>(tree, "share");
    sums.share.assign(share, share + view.nodes);
  }
  const BoundColumns bound = bind_columns(rows.columns, rows.labels.shape(0));
  const TrainingRows training{rows.labels.data(), rows.weights.data(), rows.leaf.data(), rows.labels.shape(0),
                              rows.unit};
  const Poll poll = python_poll();
  ErrorBasedPruning pruning(view, array_of<std::uint8_t>(tree, "missing_seen"), std::move(sums),
                            PessimisticError(log_confidence, deviation, examples), raising,
                            freedom_of(freedom, view.nodes));
  const RowTurns turns(view, pruning.surviving().unseen_routes(), bound.inputs);
  {
    nb::gil_scoped_release release;
    if (rows.fractional) prune_by_pieces(pruning, turns, training, poll);
    else prune_by_rows(pruning, turns, training, poll);
  }
  return pruned_to_python(pruning);
}

}  // namespace

nb::dict pruned_to_python(ErrorBasedPruning& pruned) {
  std::vector<std::int32_t> missing_branch, default_branch, added_split, added_code, added_branch;
  std::vector<std::uint8_t> missing_seen;
  std::int32_t split = 0;
  for (const UnseenRoutes& routes : pruned.surviving().unseen_routes()) {
    missing_branch.push_back(routes.missing_branch);
    default_branch.push_back(routes.default_branch);
    missing_seen.push_back(routes.missing_seen ? 1 : 0);
    for (const auto& [code, branch] : routes.added) {
      added_split.push_back(split);
      added_code.push_back(code);
      added_branch.push_back(branch);
    }
    ++split;
  }
  nb::dict out;
  NodeSums& sums = pruned.sums();
  out["split"] = to_numpy(std::vector<std::int32_t>(pruned.surviving().splits()));
  out["class_weights"] = to_numpy(std::move(sums.weights));
  if (!sums.share.empty()) out["share"] = to_numpy(std::move(sums.share));
  out["rows"] = to_numpy(std::move(sums.rows));
  out["missing_branch"] = to_numpy(std::move(missing_branch));
  out["missing_seen"] = to_numpy(std::move(missing_seen));
  out["default_branch"] = to_numpy(std::move(default_branch));
  out["added_split"] = to_numpy(std::move(added_split));
  out["added_code"] = to_numpy(std::move(added_code));
  out["added_branch"] = to_numpy(std::move(added_branch));
  return out;
}

void register_prune(nb::module_& m) {
  m.def("prune_by_error", prune_by_error, nb::arg("tree"), nb::arg("class_weights"), nb::arg("classes"),
        nb::arg("log_confidence"), nb::arg("deviation"), nb::arg("examples"), nb::arg("raising"),
        nb::arg("rows"), nb::arg("freedom").none() = nb::none());
  // For tests, which compare the estimate with the binomial distribution.
  m.def(
      "pessimistic_errors",
      [](double log_confidence, double deviation, double weight, double errors) {
        return PessimisticError(log_confidence, deviation)(weight, errors);
      },
      nb::arg("log_confidence"), nb::arg("deviation"), nb::arg("weight"), nb::arg("errors"));
}

}  // namespace hardwood
