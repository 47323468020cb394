#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>

#include "bind/flat_array.hpp"
#include "bind/part_tables.hpp"
#include "bind/poll.hpp"
#include "bind/raising.hpp"
#include "bind/register.hpp"
#include "distributed/factors.hpp"
#include "distributed/fractional_part.hpp"
#include "distributed/surviving_pieces.hpp"

namespace hardwood {

namespace {

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
                   bool logistic, int boosters, int pairs) {
    if (weights && weights->shape(0) != part_.rows())
      throw std::invalid_argument("one weight per row is needed");
    const double* given = weights ? weights->data() : nullptr;
    const std::int64_t* counted = checked(examples);
    if (pairs) {
      part_.make_pairs(pairs);
      if (given) given = (pair_weights_ = repeated(given, part_.rows(), pairs)).data();
      if (counted) counted = (pair_examples_ = repeated(counted, part_.rows(), pairs)).data();
    }
    factors_ = std::make_unique<PartFactors>(part_.rows() * part_.pairs(), RowWeights{given, whole}, logistic,
                                             boosters);
    part_.set_weights(factors_->weights().data(), counted);
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
    if (fractional_ || part_.pairs() > 1) throw std::invalid_argument("only whole rows are gathered");
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
  // What reaches the leaves of a tree over pairs, rows before weights.
  nb::object sum_pairs(const std::vector<std::int32_t>& nodes, const std::vector<std::int32_t>& leaves,
                       std::size_t tree_nodes, bool routed) {
    PairSums sums;
    {
      nb::gil_scoped_release release;
      sums = factors().pair_sums(part_, nodes, leaves, tree_nodes, routed);
    }
    sums.rows.insert(sums.rows.end(), sums.weights.begin(), sums.weights.end());
    return to_numpy(std::move(sums.rows));
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
  std::vector<double> pair_weights_;  // where rows are pairs: the caller's, pair by pair
  std::vector<std::int64_t> pair_examples_;
  std::unique_ptr<PartFactors> factors_;
  std::unique_ptr<FractionalPart> fractional_;
  std::unique_ptr<SurvivingRows> surviving_rows_;
  std::unique_ptr<SurvivingPieces> surviving_pieces_;
};

}  // namespace

void register_parts(nb::module_& m) {
  nb::class_<BoundPart>(m, "Part")
      .def(nb::init<nb::dict, const TablePlan&, FlatArray<std::int32_t>, int>(), nb::arg("stored"),
           nb::arg("plan"), nb::arg("labels"), nb::arg("classes"))
      .def("set_weights", &BoundPart::set_weights, nb::arg("weights").none(), nb::arg("examples").none())
      .def("set_factors", &BoundPart::set_factors, nb::arg("weights").none(), nb::arg("whole"),
           nb::arg("examples").none(), nb::arg("logistic"), nb::arg("boosters"), nb::arg("pairs"))
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
      .def("sum_pairs", &BoundPart::sum_pairs, nb::arg("nodes"), nb::arg("leaves"), nb::arg("tree_nodes"),
           nb::arg("routed"))
      .def("multiply", &BoundPart::multiply, nb::arg("booster"), nb::arg("nodes"), nb::arg("same"),
           nb::arg("other"), nb::arg("label"), nb::arg("routed"));
}

}  // namespace hardwood
