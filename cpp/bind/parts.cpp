#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "bind/columns.hpp"
#include "bind/flat_array.hpp"
#include "bind/poll.hpp"
#include "bind/raising.hpp"
#include "bind/register.hpp"
#include "distributed/factors.hpp"
#include "distributed/fractional_part.hpp"
#include "distributed/parts_store.hpp"
#include "distributed/summary.hpp"
#include "distributed/surviving_pieces.hpp"

namespace hardwood {

namespace {

nb::list summarise_columns(nb::list columns, std::size_t rows, int threads, std::size_t distinct,
                           std::size_t sample) {
  const BoundColumns bound = bind_columns(columns, rows);
  const Poll poll = python_poll();
  std::vector<ColumnSummary> found;
  {
    nb::gil_scoped_release release;
    Pool pool(threads);
    found = summarise(bound.inputs, rows, {distinct, sample}, pool, poll);
  }
  nb::list out;
  for (ColumnSummary& each : found)
    out.append(nb::make_tuple(to_numpy(std::move(each.keys)), each.complete, each.has_missing, each.whole));
  return out;
}

void init_plan(TablePlan* plan, nb::list columns) {
  new (plan) TablePlan;
  for (nb::handle item : columns) {
    const nb::tuple parts = nb::cast<nb::tuple>(item);
    ColumnPlan column;
    column.kind = static_cast<ColumnKind>(nb::cast<int>(parts[0]));
    column.coding = static_cast<PartCoding>(nb::cast<int>(parts[1]));
    column.missing_code = nb::cast<bool>(parts[2]);
    column.whole = nb::cast<bool>(parts[3]);
    column.categories = nb::cast<std::uint32_t>(parts[4]);
    column.keys = to_vector(nb::cast<FlatArray<std::uint64_t>>(parts[5]));
    if (column.codes() > lane_codes) throw std::invalid_argument("a column with too many codes for a lane");
    plan->columns.push_back(std::move(column));
  }
  plan->set_offsets();
}

nb::dict encode_columns_of_part(nb::list columns, std::size_t rows, const TablePlan& plan, int threads) {
  const BoundColumns bound = bind_columns(columns, rows);
  if (bound.inputs.size() != plan.columns.size()) throw std::invalid_argument("another number of columns");
  const Poll poll = python_poll();
  EncodedPart part;
  {
    nb::gil_scoped_release release;
    Pool pool(threads);
    part = encode_part(bound.inputs, rows, plan, pool, poll);
  }
  nb::list tiles, keys, layout, lanes;
  for (auto& words : part.tiles) tiles.append(to_numpy(std::move(words)));
  for (auto& each : part.keys) {
    if (each.empty()) keys.append(nb::none());
    else keys.append(to_numpy(std::move(each)));
  }
  for (PartColumn& column : part.table.columns)
    layout.append(
        nb::make_tuple(static_cast<int>(column.storage), column.lane, to_numpy(std::move(column.digits))));
  for (const Lane& lane : part.table.lanes) lanes.append(nb::make_tuple(lane.codes, lane.columns));
  nb::dict out;
  out["tiles"] = tiles;
  out["keys"] = keys;
  out["columns"] = layout;
  out["lanes"] = lanes;
  return out;
}

// The stored form again; the arrays are kept alive by the caller.
PartTable table_from_python(const nb::dict& stored, std::size_t rows, const TablePlan& plan) {
  PartTable out;
  out.rows = rows;
  const auto words_of = [&](nb::handle object) {
    const auto array = nb::cast<FlatArray<std::uint64_t>>(object);
    if (array.shape(0) != rows) throw std::invalid_argument("a stored column has another number of rows");
    return array.data();
  };
  for (nb::handle words : nb::cast<nb::list>(stored["tiles"])) out.tiles.push_back(words_of(words));
  for (nb::handle keys : nb::cast<nb::list>(stored["keys"]))
    out.keys.push_back(keys.is_none() ? nullptr : words_of(keys));
  for (nb::handle item : nb::cast<nb::list>(stored["lanes"])) {
    const nb::tuple parts = nb::cast<nb::tuple>(item);
    out.lanes.push_back({nb::cast<std::uint32_t>(parts[0]), nb::cast<std::vector<std::uint32_t>>(parts[1])});
  }
  for (nb::handle item : nb::cast<nb::list>(stored["columns"])) {
    const nb::tuple parts = nb::cast<nb::tuple>(item);
    out.columns.push_back({static_cast<Storage>(nb::cast<int>(parts[0])), nb::cast<std::uint32_t>(parts[1]),
                           to_vector(nb::cast<FlatArray<std::uint8_t>>(parts[2]))});
  }
  bool good = out.columns.size() == plan.columns.size() && out.keys.size() == plan.columns.size() &&
              out.tiles.size() == (out.lanes.size() + tile_lanes - 1) / tile_lanes;
  for (std::size_t c = 0; good && c < plan.columns.size(); ++c) {
    const bool wants_keys = plan.columns[c].bucketed() || plan.columns[c].coding == PartCoding::uncoded;
    good = (!wants_keys || out.keys[c]) &&
           (!plan.columns[c].has_lane() || out.columns[c].lane < out.lanes.size()) &&
           (!plan.columns[c].bucketed() || out.columns[c].storage == Storage::lane);
  }
  if (!good) throw std::invalid_argument("the stored part does not fit the plan");
  return out;
}

// A part and its factors; the table, labels and weights belong to the caller.
class BoundPart {
 public:
  BoundPart(nb::dict stored, const TablePlan& plan, FlatArray<std::int32_t> labels, int classes)
      : part_(table_from_python(stored, labels.shape(0), plan), plan, labels.data(), classes) {
    for (std::size_t i = 0; i < labels.shape(0); ++i)
      if (labels.data()[i] < 0 || labels.data()[i] >= classes)
        throw std::invalid_argument("labels must lie in [0, classes)");
  }

  using Whole = std::optional<FlatArray<std::int64_t>>;

  void set_weights(const Whole& weights, const Whole& examples) {
    part_.set_weights(checked(weights), checked(examples));
  }
  void set_factors(const std::optional<FlatArray<double>>& weights, bool whole, const Whole& examples,
                   bool logistic, int boosters) {
    if (weights && weights->shape(0) != part_.rows())
      throw std::invalid_argument("one weight per row is needed");
    factors_ = std::make_unique<PartFactors>(
        part_.rows(), RowWeights{weights ? weights->data() : nullptr, whole}, logistic, boosters);
    part_.set_weights(factors_->weights().data(), checked(examples));
  }

  // pieces: rows that miss values go down every branch.
  nb::object start(int target, std::int64_t least, bool pieces) {
    std::vector<std::int64_t> totals;
    {
      nb::gil_scoped_release release;
      part_.start(target, least);
      fractional_ = pieces ? std::make_unique<FractionalPart>(part_) : nullptr;
      totals = part_.totals(0);
    }
    return to_numpy(std::move(totals));
  }
  std::size_t rows_of(int node) const {
    return fractional_ ? fractional_->items(node).size() : part_.node(node).size();
  }

  // In turn. Rows, examples and (of pieces) class weights of all children, keys beside the cuts.
  nb::tuple split(const SplitBatch& batch) {
    SplitAnswer done;
    {
      nb::gil_scoped_release release;
      for (const NodeSplit& each : batch.splits)
        if (each.children.empty()) continue;
        else if (fractional_) fractional_->split(each, done);
        else part_.split(each, done);
    }
    return nb::make_tuple(to_numpy(std::move(done.rows)), to_numpy(std::move(done.examples)),
                          to_numpy(std::move(done.weights)), to_numpy(std::move(done.below)),
                          to_numpy(std::move(done.above)));
  }

  HistogramBatch histograms(const std::vector<std::int32_t>& nodes) const {
    nb::gil_scoped_release release;
    return fractional_ ? fractional_->histograms(nodes) : part_.histograms(nodes);
  }

  RowBatch gather(const std::vector<std::int32_t>& nodes) const {
    if (fractional_) throw std::invalid_argument("pieces of rows are not gathered");
    nb::gil_scoped_release release;
    RowBatch out;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      out.add(part_.table(), part_.plan(), k, part_.items(nodes[k]));
    return out;
  }

  KeySumsBatch open(const QuestionBatch& batch) const {
    nb::gil_scoped_release release;
    KeySumsBatch out;
    out.channels = part_.channels();
    const auto& questions = batch.questions;
    for (std::size_t first = 0; first < questions.size();) {
      std::vector<KeyQuestion> of_node;
      std::size_t end = first;
      for (; end < questions.size() && questions[end].node == questions[first].node; ++end)
        of_node.push_back(questions[end].question);
      const std::int32_t node = questions[first].node;
      auto sums = fractional_ ? fractional_->open(node, of_node) : part_.open(node, of_node);
      std::move(sums.begin(), sums.end(), std::back_inserter(out.sums));
      first = end;
    }
    return out;
  }

  // The tree's arrays stay with the caller; the rows of the part's nodes[i] are at surviving[i].
  void begin_pruning(nb::dict tree, FlatArray<std::int32_t> leaves, FlatArray<std::int32_t> nodes,
                     FlatArray<std::int32_t> surviving) {
    if (nodes.shape(0) != surviving.shape(0)) throw std::invalid_argument("every node needs a surviving node");
    const GrownTree grown = grown_tree_from_python(tree);
    nb::gil_scoped_release release;
    surviving_rows_ = nullptr;
    surviving_pieces_ = nullptr;
    if (fractional_)
      surviving_pieces_ = std::make_unique<SurvivingPieces>(part_, *fractional_, grown, to_vector(leaves),
                                                            to_vector(nodes), to_vector(surviving));
    else
      surviving_rows_ = std::make_unique<SurvivingRows>(part_, grown, to_vector(leaves), to_vector(nodes),
                                                        to_vector(surviving));
  }
  void change(nb::list changes) {
    std::vector<Change> all;
    for (nb::handle item : changes) all.push_back(change_from_python(nb::cast<nb::tuple>(item)));
    nb::gil_scoped_release release;
    for (const Change& each : all)
      if (surviving_pieces_) surviving_pieces_->follow(each);
      else surviving_rows().follow(each);
  }
  Arrivals divide_pieces(const PieceOrder& order) {
    if (!surviving_pieces_) throw std::invalid_argument("this part has no pieces that are pruned");
    nb::gil_scoped_release release;
    return surviving_pieces_->divide(order);
  }
  Arrivals send(FlatArray<std::int32_t> nodes, FlatArray<std::int32_t> heaviest,
                FlatArray<std::int64_t> rows) const {
    const std::vector<Trial> trials = trials_from_python(nodes, heaviest, rows);
    nb::gil_scoped_release release;
    return surviving_rows().send(trials);
  }

  nb::object factor_totals(int booster) const {
    const FactorTotals sums = factors().totals(booster);
    return to_numpy(std::vector<double>{sums.weight, sums.loss, sums.rows});
  }
  nb::object exact_parts(int booster) const { return to_numpy(factors().exact_parts(booster)); }
  void scale(int booster, double by) { factors().scale(booster, by); }
  std::int64_t round_weights(int booster, int exponent) {
    nb::gil_scoped_release release;
    return factors().round_weights(booster, exponent);
  }
  nb::object weight_digits(int shift, int bits, std::int64_t prefix) const {
    return to_numpy(factors().digits(shift, bits, prefix));
  }
  nb::object route_absent(const SplitBatch& tree) {
    std::vector<std::int64_t> out;
    {
      nb::gil_scoped_release release;
      out = factors().route_absent(part_, tree);
    }
    return to_numpy(std::move(out));
  }
  // Factors of leaves by number: of the growing tree's nodes, or of the tree that rows were routed down.
  void multiply(int booster, const std::vector<std::int32_t>& nodes, FlatArray<double> same,
                FlatArray<double> other, const std::vector<std::int32_t>& label, bool routed) {
    std::vector<LeafFactors> by;
    for (std::size_t i = 0; i < label.size(); ++i) by.push_back({same.data()[i], other.data()[i], label[i]});
    nb::gil_scoped_release release;
    if (routed) factors().multiply_routed(booster, part_, by);
    else factors().multiply(booster, part_, nodes, by);
  }

 private:
  const std::int64_t* checked(const Whole& array) const {
    if (array && array->shape(0) != part_.rows()) throw std::invalid_argument("one number per row is needed");
    return array ? array->data() : nullptr;
  }
  PartFactors& factors() const {
    if (!factors_) throw std::invalid_argument("this part has no factors");
    return *factors_;
  }
  SurvivingRows& surviving_rows() const {
    if (!surviving_rows_) throw std::invalid_argument("this part is not being pruned");
    return *surviving_rows_;
  }

  Part part_;
  std::unique_ptr<PartFactors> factors_;
  std::unique_ptr<FractionalPart> fractional_;
  std::unique_ptr<SurvivingRows> surviving_rows_;
  std::unique_ptr<SurvivingPieces> surviving_pieces_;
};

}  // namespace

void register_parts(nb::module_& m) {
  m.def("summarise", summarise_columns, nb::arg("columns"), nb::arg("rows"), nb::arg("threads"),
        nb::arg("distinct"), nb::arg("sample"));
  nb::class_<TablePlan>(m, "TablePlan")
      .def("__init__", init_plan, nb::arg("columns"))
      .def(
          "uncoded_questions",
          [](const TablePlan& plan, std::int32_t node) {
            QuestionBatch out;
            ask_uncoded(plan, nullptr, node, out);
            return out;
          },
          nb::arg("node"));
  m.def("encode_part", encode_columns_of_part, nb::arg("columns"), nb::arg("rows"), nb::arg("plan"),
        nb::arg("threads"));
  nb::class_<BoundPart>(m, "Part")
      .def(nb::init<nb::dict, const TablePlan&, FlatArray<std::int32_t>, int>(), nb::arg("stored"),
           nb::arg("plan"), nb::arg("labels"), nb::arg("classes"))
      .def("set_weights", &BoundPart::set_weights, nb::arg("weights").none(), nb::arg("examples").none())
      .def("set_factors", &BoundPart::set_factors, nb::arg("weights").none(), nb::arg("whole"),
           nb::arg("examples").none(), nb::arg("logistic"), nb::arg("boosters"))
      .def("start", &BoundPart::start, nb::arg("target"), nb::arg("least"), nb::arg("pieces") = false)
      .def("rows_of", &BoundPart::rows_of, nb::arg("node"))
      .def("split", &BoundPart::split, nb::arg("batch"))
      .def("histograms", &BoundPart::histograms, nb::arg("nodes"))
      .def("gather", &BoundPart::gather, nb::arg("nodes"))
      .def("open", &BoundPart::open, nb::arg("batch"))
      .def("begin_pruning", &BoundPart::begin_pruning, nb::arg("tree"), nb::arg("leaves"), nb::arg("nodes"),
           nb::arg("surviving"))
      .def("change", &BoundPart::change, nb::arg("changes"))
      .def("divide_pieces", &BoundPart::divide_pieces, nb::arg("order"))
      .def("send", &BoundPart::send, nb::arg("nodes"), nb::arg("heaviest"), nb::arg("rows"))
      .def("factor_totals", &BoundPart::factor_totals, nb::arg("booster"))
      .def("exact_parts", &BoundPart::exact_parts, nb::arg("booster"))
      .def("scale", &BoundPart::scale, nb::arg("booster"), nb::arg("by"))
      .def("round_weights", &BoundPart::round_weights, nb::arg("booster"), nb::arg("exponent"))
      .def("weight_digits", &BoundPart::weight_digits, nb::arg("shift"), nb::arg("bits"), nb::arg("prefix"))
      .def("route_absent", &BoundPart::route_absent, nb::arg("tree"))
      .def("multiply", &BoundPart::multiply, nb::arg("booster"), nb::arg("nodes"), nb::arg("same"),
           nb::arg("other"), nb::arg("label"), nb::arg("routed"));
}

}  // namespace hardwood
