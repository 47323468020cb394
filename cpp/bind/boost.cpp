#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "bind/tree_arrays.hpp"
#include "boosting/booster.hpp"

namespace hardwood {

namespace {

namespace nb = nanobind;
template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig>;

struct BoostOptions {
  int variant = 1, criterion = 0, classes = 2;
  std::int64_t max_leaves = 0;
  std::int32_t max_depth = 0;
  double learning_rate = 1, leaf_ratio_cap = 0x1p12, weight_fraction = 1;
  double min_weight_fraction_leaf = 0, min_examples = 0;
  bool whole_weights = true;
  int search = 1;
  double quick_start = 0.5;
  int quick_batches = 10;
};

// Owns copies of what the booster points to; the encoded table is kept alive by Python.
class BoundBooster {
 public:
  BoundBooster(const EncodedTable& table, Array<std::int32_t> labels, std::optional<Array<double>> weights,
               std::optional<Array<std::int64_t>> examples, const BoostOptions& options)
      : rows_(table.rows), columns_(table.columns.size()) {
    if (labels.shape(0) != rows_ || (weights && weights->shape(0) != rows_) ||
        (examples && examples->shape(0) != rows_))
      throw std::invalid_argument("labels and weights must have one entry per row");
    std::vector<std::int32_t> own(labels.data(), labels.data() + rows_);
    for (std::int32_t label : own)
      if (label < 0 || label >= options.classes) throw std::invalid_argument("labels must lie in [0, classes)");
    if (weights) weights_.assign(weights->data(), weights->data() + rows_);
    if (examples) examples_.assign(examples->data(), examples->data() + rows_);
    BoostingRules rules;
    rules.variant = static_cast<Variant>(options.variant);
    rules.learning_rate = options.learning_rate;
    rules.leaf_ratio_cap = options.leaf_ratio_cap;
    rules.weight_fraction = options.weight_fraction;
    rules.min_weight_fraction_leaf = options.min_weight_fraction_leaf;
    rules.min_examples = options.min_examples;
    rules.search = static_cast<Search>(options.search);
    rules.growth.race.quick_start = options.quick_start;
    rules.growth.race.quick_batches = options.quick_batches;
    rules.growth.max_leaves = options.max_leaves;
    rules.growth.max_depth = options.max_depth;
    const auto criterion = static_cast<Criterion>(options.criterion);
    if (criterion == Criterion::stump) rules.growth.leaf_choice = LeafChoice::number;
    const GivenWeights given{weights ? weights_.data() : nullptr, options.whole_weights,
                             examples ? examples_.data() : nullptr};
    booster_ = std::make_unique<Booster>(table, std::move(own), options.classes, criterion, given, rules);
  }

  // Up to `rounds` rounds; `allowed` has a row of column flags per round, or is None.
  nb::list run(int rounds, std::optional<nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig>> allowed,
               int threads) {
    if (allowed && (allowed->shape(0) != static_cast<std::size_t>(rounds) || allowed->shape(1) != columns_))
      throw std::invalid_argument("allowed must have a row per round and a flag per column");
    const Poll poll = python_poll();
    std::vector<Round> done;
    {
      nb::gil_scoped_release release;
      Pool pool(threads);
      std::vector<char> flags;
      for (int r = 0; r < rounds; ++r) {
        poll();
        if (allowed) flags.assign(allowed->data() + r * columns_, allowed->data() + (r + 1) * columns_);
        done.push_back(booster_->run(allowed ? &flags : nullptr, pool, poll));
        done.back().growth.node_rows = {};
        done.back().growth.splits = {};
        if (done.back().stop != Stop::not_yet) break;
      }
    }
    nb::list out;
    for (Round& round : done) out.append(to_python(std::move(round)));
    return out;
  }

  void replay(Array<std::int32_t> leaf, Array<double> value, double tree_weight, double error) {
    if (leaf.shape(0) != rows_) throw std::invalid_argument("one leaf per row is needed");
    for (std::size_t i = 0; i < rows_; ++i)
      if (leaf.data()[i] < 0 || static_cast<std::size_t>(leaf.data()[i]) >= value.shape(0))
        throw std::invalid_argument("leaf out of range");
    booster_->replay(leaf.data(), {value.data(), value.data() + value.shape(0)}, tree_weight, error);
  }

 private:
  static nb::dict to_python(Round round) {
    nb::dict out;
    out["tree"] = tree_to_python(std::move(round.growth.tree));
    out["value"] = to_numpy(std::move(round.value));
    out["tree_weight"] = round.tree_weight;
    out["error"] = round.error;
    out["bound"] = round.bound;
    out["seen_weight"] = round.seen_weight;
    out["assessments"] = round.growth.assessments;
    out["exhaustive_assessments"] = round.growth.exhaustive_assessments;
    out["stop"] = static_cast<int>(round.stop);
    return out;
  }

  std::size_t rows_, columns_;
  std::vector<double> weights_;
  std::vector<std::int64_t> examples_;
  std::unique_ptr<Booster> booster_;
};

}  // namespace

void register_boost(nb::module_& m) {
  nb::class_<BoostOptions>(m, "BoostingOptions")
      .def(nb::init<>())
      .def_rw("variant", &BoostOptions::variant)
      .def_rw("criterion", &BoostOptions::criterion)
      .def_rw("classes", &BoostOptions::classes)
      .def_rw("max_leaves", &BoostOptions::max_leaves)
      .def_rw("max_depth", &BoostOptions::max_depth)
      .def_rw("learning_rate", &BoostOptions::learning_rate)
      .def_rw("leaf_ratio_cap", &BoostOptions::leaf_ratio_cap)
      .def_rw("weight_fraction", &BoostOptions::weight_fraction)
      .def_rw("min_weight_fraction_leaf", &BoostOptions::min_weight_fraction_leaf)
      .def_rw("min_examples", &BoostOptions::min_examples)
      .def_rw("whole_weights", &BoostOptions::whole_weights)
      .def_rw("search", &BoostOptions::search)
      .def_rw("quick_start", &BoostOptions::quick_start)
      .def_rw("quick_batches", &BoostOptions::quick_batches);
  nb::class_<BoundBooster>(m, "Booster")
      .def(nb::init<const EncodedTable&, Array<std::int32_t>, std::optional<Array<double>>,
                    std::optional<Array<std::int64_t>>, const BoostOptions&>(),
           nb::keep_alive<1, 2>(), nb::arg("table"), nb::arg("labels"), nb::arg("weights").none(),
           nb::arg("examples").none(), nb::arg("options"))
      .def("run", &BoundBooster::run, nb::arg("rounds"), nb::arg("allowed").none(), nb::arg("threads"))
      .def("replay", &BoundBooster::replay, nb::arg("leaf"), nb::arg("value"), nb::arg("tree_weight"),
           nb::arg("error"));
}

}  // namespace hardwood
