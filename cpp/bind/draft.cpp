#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/growth_options.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "growing/ranking.hpp"
#include "growing/rows_by_class.hpp"
#include "growing/told_split.hpp"

namespace hardwood {

namespace {

namespace nb = nanobind;

void set_thresholds(Instruction& told, const std::vector<double>& values,
                    const std::vector<std::int64_t>& integers) {
  if (values.size() != integers.size()) throw std::invalid_argument("thresholds must come in pairs");
  told.thresholds.clear();
  for (std::size_t i = 0; i < values.size(); ++i) told.thresholds.push_back({values[i], integers[i]});
}

nb::dict split_to_python(Split split, bool exact, const NodeRows& node) {
  std::vector<double> values;
  std::vector<std::int64_t> integers;
  std::vector<std::int32_t> labels;
  for (const Threshold& threshold : split.given) {
    values.push_back(threshold.value);
    integers.push_back(threshold.integer);
  }
  for (const ClassRows& part : node.classes) labels.push_back(part.label);
  nb::dict out;
  out["column"] = split.column;
  out["cost"] = split.cost;
  out["branches"] = split.arity;
  out["missing_branch"] = split.missing_branch;
  out["default_branch"] = split.default_branch;
  out["exact"] = exact;
  out["thresholds"] = to_numpy(std::move(values));
  out["integer_thresholds"] = to_numpy(std::move(integers));
  out["codes"] = to_numpy(std::move(split.codes));
  out["branch_of"] = to_numpy(std::move(split.branch_of));
  out["labels"] = to_numpy(std::move(labels));
  out["weights"] = to_numpy(std::move(split.weights));
  return out;
}

using PathAbove = std::vector<SplitAbove>;

void check_path(const PathAbove& path, std::size_t columns, int classes) {
  for (const SplitAbove& above : path) {
    const auto size = static_cast<std::size_t>(above.branch + 1) * static_cast<std::size_t>(classes);
    if (above.column >= columns || above.branch < 0 || above.weights.size() < size ||
        above.weights.size() % static_cast<std::size_t>(classes) != 0)
      throw std::invalid_argument("a split above the node does not fit the table");
  }
}

// Rows of weight 0 are not of the node.
nb::list rank(const EncodedTable& table, Labels labels, int classes, Weights weights, Weights examples,
              const GrowthOptions& options, double root_weight, std::size_t most, bool all,
              const PathAbove& above) {
  check_path(above, table.columns.size(), classes);
  const Problem problem = problem_of(table, labels, classes, weights, examples, options);
  Prices prices = options.prices();
  const GrowthRules rules = options.rules(prices, table.columns.size(), classes);
  std::vector<std::uint32_t> rows;
  const NodeRows node = rows_by_class(labels.data(), problem.weights, table.rows, classes, rows);
  std::vector<RankedSplit> found;
  {
    nb::gil_scoped_release release;
    Pool pool(options.threads);
    found = ranked_splits({problem, node, rows, root_weight, above}, rules, most, all, pool);
  }
  nb::list out;
  for (RankedSplit& each : found) out.append(split_to_python(std::move(each.split), each.exact, node));
  return out;
}

// None where a branch would have no rows; the cost is infinite where monotone constraints do not admit it.
nb::object split_as_told(const EncodedTable& table, Labels labels, int classes, Weights weights,
                         const GrowthOptions& options, const PathAbove& above) {
  check_path(above, table.columns.size(), classes);
  const Problem problem = problem_of(table, labels, classes, weights, {}, options);
  Prices prices = options.prices();
  const GrowthRules rules = options.rules(prices, table.columns.size(), classes);
  std::vector<std::uint32_t> rows;
  const NodeRows node = rows_by_class(labels.data(), problem.weights, table.rows, classes, rows);
  if (options.draft.empty() || node.classes.empty()) return nb::none();
  const LeafPtr leaf = leaf_of({problem, node, rows, 0.0, above}, rules);
  const Instruction& told = options.draft.front();
  Split split;
  {
    nb::gil_scoped_release release;
    split = told_split(problem, node, rows.data(), leaf->totals, told);
  }
  if (!split.found()) return nb::none();
  if (const auto* allowed = LeafRules(rules).allowed(*leaf); allowed && !(*allowed)[told.column])
    split.cost = impossible;
  return split_to_python(std::move(split), true, node);
}

}  // namespace

void register_draft(nb::module_& m) {
  nb::enum_<Instruction::Kind>(m, "InstructionKind")
      .value("free", Instruction::Kind::free)
      .value("column", Instruction::Kind::column)
      .value("split", Instruction::Kind::split)
      .value("leaf", Instruction::Kind::leaf);
  nb::enum_<Outcome>(m, "Outcome", nb::is_arithmetic())
      .value("absent", Outcome::absent)
      .value("followed", Outcome::followed)
      .value("empty", Outcome::empty)
      .value("pure", Outcome::pure)
      .value("offers_none", Outcome::offers_none)
      .value("no_room", Outcome::no_room)
      .value("kept_apart", Outcome::kept_apart)
      .value("breaks_order", Outcome::breaks_order);
  nb::class_<Instruction>(m, "Instruction")
      .def(nb::init<>())
      .def_rw("kind", &Instruction::kind)
      .def_rw("turn", &Instruction::turn)
      .def_rw("column", &Instruction::column)
      .def_rw("branches", &Instruction::arity)
      .def_rw("codes", &Instruction::codes)
      .def_rw("branch_of", &Instruction::branch_of)
      .def_rw("missing", &Instruction::missing)
      .def_rw("never_here", &Instruction::never_here)
      .def_rw("never_below", &Instruction::never_below)
      .def_rw("children", &Instruction::children)
      .def("set_thresholds", set_thresholds, nb::arg("values"), nb::arg("integers"));
  nb::class_<SplitAbove>(m, "SplitAbove")
      .def(nb::init<>())
      .def_rw("column", &SplitAbove::column)
      .def_rw("branch", &SplitAbove::branch)
      .def_rw("parts_values", &SplitAbove::parts_values)
      .def_rw("weights", &SplitAbove::weights);
  m.def("rank_splits", rank, nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("examples").none(), nb::arg("options"), nb::arg("root_weight"), nb::arg("most"),
        nb::arg("every_threshold"), nb::arg("above"));
  m.def("told_split", split_as_told, nb::arg("table"), nb::arg("labels"), nb::arg("classes"),
        nb::arg("weights").none(), nb::arg("options"), nb::arg("above"));
}

}  // namespace hardwood
