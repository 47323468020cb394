#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/growth_options.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "growing/fractional_ranking.hpp"
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

// What stands fixed while a node is asked about: its rows are those of positive weight, or, of fractional
// examples, the pieces that the told splits lead to.
struct AskedNode {
  Problem problem;
  Prices prices;
  GrowthRules rules;
  std::vector<std::uint32_t> rows;
  NodeRows node;

  AskedNode(const EncodedTable& table, const Labels& labels, int classes, const Weights& weights,
            const Weights& examples, const GrowthOptions& options)
      : problem(problem_of(table, labels, classes, weights, examples, options)), prices(options.prices()),
        rules(options.rules(prices, table.columns.size(), classes)),
        node(rows_by_class(labels.data(), problem.weights, table.rows, classes, rows)) {}
  AskedNode(const AskedNode&) = delete;

  double price(std::int32_t branches) { return rules.prices ? prices.price(branches) : 1.0; }
  PiecesOfNode pieces(const std::vector<ToldAbove>& told, double root_weight, const PathAbove& above) const {
    return {problem, items_below(problem, root_items(problem, node, rows), told), root_weight, above, rules};
  }
};

nb::dict offer_to_python(Split split, bool exact, const NodeRows& node, AskedNode& asked) {
  const double price = asked.price(split.arity);
  nb::dict out = split_to_python(std::move(split), exact, node);
  out["price"] = price;
  return out;
}

nb::list rank(const EncodedTable& table, Labels labels, int classes, Weights weights, Weights examples,
              const GrowthOptions& options, double root_weight, const RankingRequest& request,
              const PathAbove& above, const std::vector<ToldAbove>& told) {
  check_path(above, table.columns.size(), classes);
  AskedNode asked(table, labels, classes, weights, examples, options);
  const Poll poll = python_poll();
  std::vector<RankedSplit> found;
  NodeRows node = asked.node;
  {
    nb::gil_scoped_release release;
    Pool pool(options.threads);
    if (options.fractional) {
      const PiecesOfNode pieces = asked.pieces(told, root_weight, above);
      node = pieces.items.by_class;
      found = ranked_pieces(asked.problem, pieces, root_weight, asked.rules, request, pool, poll);
    } else {
      found = ranked_splits({asked.problem, node, asked.rows, root_weight, above}, asked.rules, request, pool);
    }
  }
  nb::list out;
  for (RankedSplit& each : found) out.append(offer_to_python(std::move(each.split), each.exact, node, asked));
  return out;
}

// None where a branch would have no rows; the cost is infinite where monotone constraints do not admit it.
nb::object split_as_told(const EncodedTable& table, Labels labels, int classes, Weights weights,
                         const GrowthOptions& options, const PathAbove& above,
                         const std::vector<ToldAbove>& told) {
  check_path(above, table.columns.size(), classes);
  AskedNode asked(table, labels, classes, weights, {}, options);
  NodeRows node = asked.node;
  if (options.draft.empty() || node.classes.empty()) return nb::none();
  const Instruction& line = options.draft.front();
  Split split;
  LeafPtr leaf;
  {
    nb::gil_scoped_release release;
    if (options.fractional) {
      PiecesOfNode pieces = asked.pieces(told, 0.0, above);
      node = pieces.items.by_class;
      split = told_pieces(asked.problem, pieces.items, pieces.leaf->totals, line);
      if (split.found()) complete_pieces(asked.problem, pieces, split);
      leaf = std::move(pieces.leaf);
    } else {
      leaf = leaf_of({asked.problem, node, asked.rows, 0.0, above}, asked.rules);
      split = told_split(asked.problem, node, asked.rows.data(), leaf->totals, line);
    }
  }
  if (!split.found()) return nb::none();
  if (const auto* allowed = LeafRules(asked.rules).allowed(*leaf); allowed && !(*allowed)[line.column])
    split.cost = impossible;
  return offer_to_python(std::move(split), true, node, asked);
}

// The class weights of the node that told splits lead to, of fractional examples.
nb::object weights_of_pieces(const EncodedTable& table, Labels labels, int classes, Weights weights,
                             const GrowthOptions& options, const std::vector<ToldAbove>& told) {
  AskedNode asked(table, labels, classes, weights, {}, options);
  const Items items = items_below(asked.problem, root_items(asked.problem, asked.node, asked.rows), told);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(classes), 0);
  for (const ClassRows& part : items.by_class.classes)
    for (std::uint32_t i = part.begin; i < part.end; ++i)
      sums[static_cast<std::size_t>(part.label)] += items.weight[i];
  return nb::cast(to_numpy(std::move(sums)));
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
  nb::class_<ToldAbove>(m, "ToldAbove")
      .def(nb::init<>())
      .def_rw("split", &ToldAbove::split)
      .def_rw("branch", &ToldAbove::branch);
  nb::class_<RankingRequest>(m, "RankingRequest")
      .def(nb::init<>())
      .def_rw("most", &RankingRequest::most)
      .def_rw("every_threshold", &RankingRequest::all)
      .def_rw("leaves", &RankingRequest::leaves);
  m.def("rank_splits", rank, nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("examples").none(), nb::arg("options"), nb::arg("root_weight"), nb::arg("request"),
        nb::arg("above"), nb::arg("told"));
  m.def("told_split", split_as_told, nb::arg("table"), nb::arg("labels"), nb::arg("classes"),
        nb::arg("weights").none(), nb::arg("options"), nb::arg("above"), nb::arg("told"));
  m.def("weights_of_pieces", weights_of_pieces, nb::arg("table"), nb::arg("labels"), nb::arg("classes"),
        nb::arg("weights").none(), nb::arg("options"), nb::arg("told"));
}

}  // namespace hardwood
