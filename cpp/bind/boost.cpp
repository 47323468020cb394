#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/constraints.hpp"
#include "bind/flat_array.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "bind/team.hpp"
#include "bind/tree_arrays.hpp"
#include "bind/tree_view.hpp"
#include "boosting/booster.hpp"
#include "boosting/memory_boosting.hpp"
#include "boosting/together.hpp"
#include "data/pair_table.hpp"
#include "distributed/parts_boosting.hpp"

namespace hardwood {

namespace {

namespace nb = nanobind;

struct BoostOptions {
  Variant variant = Variant::real;
  Criterion criterion = Criterion::km;
  int classes = 2;
  int pairs = 0;  // rows are pairs of an example and one of so many classes; 0: they are not
  std::int64_t max_leaves = 0;
  std::int32_t max_depth = 0;
  double learning_rate = 1, leaf_ratio_cap = 0x1p12, leaf_prior = 0, weight_fraction = 1, cut_fraction = 1;
  double min_weight_fraction_leaf = 0, min_examples = 0;
  std::int64_t min_category_size = 1, examples = 0;
  bool whole_weights = true, pass_over_chance = false;
  bool paper_rules = false;  // constant stumps compete, trimming cuts ties
  int search = 1;
  double quick_start = 0.5;
  int quick_batches = 10;
  ConstraintOptions constraints;
};

BoostingRules rules_of(const BoostOptions& options) {
  BoostingRules rules;
  rules.variant = options.variant;
  rules.learning_rate = options.learning_rate;
  rules.leaf_ratio_cap = options.leaf_ratio_cap;
  rules.leaf_prior = options.leaf_prior;
  rules.trimming = {options.weight_fraction, options.paper_rules};
  rules.cut_fraction = options.cut_fraction;
  rules.min_weight_fraction_leaf = options.min_weight_fraction_leaf;
  rules.min_examples = options.min_examples;
  rules.pass_over_chance = options.pass_over_chance;
  rules.search = static_cast<Search>(options.search);
  rules.growth.race.quick_start = options.quick_start;
  rules.growth.race.quick_batches = options.quick_batches;
  rules.growth.race.constants = options.paper_rules;
  rules.growth.max_leaves = options.max_leaves;
  rules.growth.min_category_size = options.min_category_size;
  rules.growth.examples = options.examples;
  rules.growth.max_depth = options.max_depth;
  rules.growth.criterion = options.criterion;
  if (rules.growth.criterion == Criterion::stump) rules.growth.leaf_choice = LeafChoice::number;
  rules.growth.interactions = options.constraints.interactions(options.pairs ? 1 : 0);
  if (options.constraints.monotone())
    rules.monotone = std::make_shared<const Signs>(options.constraints.signs_by_column());
  return rules;
}

using Allowed = std::optional<nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig>>;

using CutSeeds = std::optional<FlatArray<std::uint64_t>>;

// `allowed` has a row of column flags per round, `cut_seeds` what draws the cuts of each, or they are None.
WantedRounds wanted_rounds(int rounds, const Allowed& allowed, const CutSeeds& cut_seeds, std::size_t columns) {
  if (allowed && (allowed->shape(0) != static_cast<std::size_t>(rounds) || allowed->shape(1) != columns))
    throw std::invalid_argument("allowed must have a row per round and a flag per column");
  if (cut_seeds && cut_seeds->shape(0) != static_cast<std::size_t>(rounds))
    throw std::invalid_argument("cut_seeds must have one number per round");
  return {rounds, allowed ? allowed->data() : nullptr, columns, cut_seeds ? cut_seeds->data() : nullptr};
}

// Rounds over a store of rows.
class BoundBooster {
 public:
  nb::list run(int rounds, Allowed allowed, CutSeeds cut_seeds, int threads) {
    const WantedRounds wanted = wanted_rounds(rounds, allowed, cut_seeds, columns_);
    const Poll poll = python_poll();
    std::vector<Round> done;
    {
      nb::gil_scoped_release release;
      Pool pool(threads);
      done = run_rounds(*booster_, wanted, pool, poll);
    }
    return to_python(std::move(done));
  }

  // The rounds of each booster of one table, several at the same time.
  static nb::list run_together(const std::vector<BoundBooster*>& boosters, int rounds, Allowed allowed,
                               CutSeeds cut_seeds, int threads) {
    std::vector<Booster*> inner;
    for (BoundBooster* each : boosters) inner.push_back(each->booster_.get());
    const WantedRounds wanted =
        wanted_rounds(rounds, allowed, cut_seeds, boosters.empty() ? 0 : boosters[0]->columns_);
    const Poll poll = python_poll();
    std::vector<std::vector<Round>> done;
    {
      nb::gil_scoped_release release;
      done = hardwood::run_together(inner, wanted, threads, poll);
    }
    nb::list out;
    for (std::vector<Round>& each : done) out.append(to_python(std::move(each)));
    return out;
  }

 protected:
  std::size_t columns_ = 0;
  std::unique_ptr<Booster> booster_;

 private:
  static nb::list to_python(std::vector<Round> rounds) {
    std::vector<Tree> trees;
    for (Round& round : rounds) trees.push_back(std::move(round.growth.tree));
    const std::vector<nb::dict> arrays = trees_to_python(trees);
    const std::vector<nb::object> values = parts_of_one<double>(
        rounds.size(), [&](std::size_t i) -> const std::vector<double>& { return rounds[i].value; });
    nb::list out;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      nb::dict done = record_of(std::move(rounds[i]));
      done["tree"] = arrays[i];
      done["value"] = values[i];
      out.append(done);
    }
    return out;
  }

  static nb::dict record_of(Round round) {
    nb::dict out;
    if (!round.growth.pairs.rows.empty()) {
      out["pair_rows"] = to_numpy(std::move(round.growth.pairs.rows));
      out["pair_weights"] = to_numpy(std::move(round.growth.pairs.weights));
    }
    out["tree_weight"] = round.tree_weight;
    out["error"] = round.error;
    out["bound"] = round.bound;
    out["loss"] = round.loss;
    out["proved_drop"] = round.proved_drop;
    out["seen_weight"] = round.seen_weight;
    out["assessments"] = round.growth.assessments;
    out["exhaustive_assessments"] = round.exhaustive_assessments;
    out["opened_rows"] = round.growth.opened_rows;
    out["stop"] = round.stop;
    return out;
  }
};

// Owns copies of what the booster points to; the encoded table is kept alive by Python. Labels and weights are
// those of the table's rows, also where the booster's rows are pairs.
class BoundMemoryBooster : public BoundBooster {
 public:
  BoundMemoryBooster(const EncodedTable& table, FlatArray<std::int32_t> labels,
                     std::optional<FlatArray<double>> weights, std::optional<FlatArray<std::int64_t>> examples,
                     const BoostOptions& options) {
    const std::size_t n = table.rows / table.stored.pairs;
    if (table.stored.pairs != static_cast<std::uint32_t>(std::max(options.pairs, 1)))
      throw std::invalid_argument("the table has other pairs than the options");
    if (labels.shape(0) != n || (weights && weights->shape(0) != n) || (examples && examples->shape(0) != n))
      throw std::invalid_argument("labels and weights must have one entry per row");
    std::vector<std::int32_t> own = repeated(labels.data(), n, options.pairs);
    const int labelled = options.pairs ? options.pairs : options.classes;
    for (std::int32_t label : own)
      if (label < 0 || label >= labelled) throw std::invalid_argument("labels must lie in [0, classes)");
    if (weights) weights_ = repeated(weights->data(), n, options.pairs);
    if (examples) examples_ = repeated(examples->data(), n, options.pairs);
    if (options.pairs) {
      for (std::size_t p = 0; p < own.size(); ++p)
        own[p] = own[p] == static_cast<std::int32_t>(p % options.pairs) ? 1 : 0;
    }
    rows_ = table.rows;
    columns_ = table.columns.size();
    BoostingRules rules = rules_of(options);
    const bool counted = examples && options.min_examples > 1;
    if (!counted) rules.min_examples = 0;
    const GivenWeights given{{weights ? weights_.data() : nullptr, options.whole_weights},
                             counted ? examples_.data() : nullptr};
    store_ = std::make_unique<MemoryBoosting>(table, std::move(own), options.classes, rules.growth.criterion,
                                              given, rules.variant == Variant::logistic,
                                              static_cast<std::uint32_t>(options.pairs));
    booster_ = std::make_unique<Booster>(*store_, options.classes, rules);
  }

  void replay(FlatArray<std::int32_t> leaf, FlatArray<double> value, double error) {
    if (leaf.shape(0) != rows_) throw std::invalid_argument("one leaf per row is needed");
    for (std::size_t i = 0; i < rows_; ++i)
      if (leaf.data()[i] < 0 || static_cast<std::size_t>(leaf.data()[i]) >= value.shape(0))
        throw std::invalid_argument("leaf out of range");
    booster_->replay({value.data(), value.data() + value.shape(0)}, error,
                     [&](const std::vector<LeafFactors>& by_node) { store_->multiply(leaf.data(), by_node); });
  }

 private:
  std::size_t rows_ = 0;
  std::vector<double> weights_;
  std::vector<std::int64_t> examples_;
  std::unique_ptr<MemoryBoosting> store_;
};

// The rounds of each booster, as its `run` gives them.
nb::list run_memory_boosters(const std::vector<BoundMemoryBooster*>& boosters, int rounds, Allowed allowed,
                             CutSeeds cut_seeds, int threads) {
  return BoundBooster::run_together({boosters.begin(), boosters.end()}, rounds, std::move(allowed),
                                    std::move(cut_seeds), threads);
}

// The plan is kept alive by Python; `number` and `target` as in parts_boosting.hpp.
class BoundPartsBooster : public BoundBooster {
 public:
  BoundPartsBooster(const TablePlan& plan, nb::object team, int number, int target, bool counted,
                    std::int64_t rows, const BoostOptions& options)
      : team_(std::move(team)), store_(team_, plan,
                                       {number, target, options.classes, options.variant == Variant::logistic,
                                        counted, options.whole_weights, rows, options.pairs}) {
    columns_ = plan.columns.size();
    BoostingRules rules = rules_of(options);
    if (!counted) rules.min_examples = 0;
    booster_ = std::make_unique<Booster>(store_, options.classes, rules);
  }

  // The bound after a round of an earlier fit.
  double replay(nb::object tree, FlatArray<double> value, double error) {
    const TreeView view = view_of(tree);
    if (view.nodes != value.shape(0)) throw std::invalid_argument("one value per node is needed");
    return booster_->replay({value.data(), value.data() + value.shape(0)}, error,
                            [&](const std::vector<LeafFactors>& by_node) { store_.multiply(view, by_node); });
  }

  // The same over pairs, from the trees of all classes, whose values stand one after the other.
  double replay_pairs(nb::list trees, FlatArray<double> values, double error) {
    std::vector<TreeView> views;
    std::vector<double> by_node{0};  // the root's
    for (nb::handle tree : trees) views.push_back(view_of(tree));
    by_node.insert(by_node.end(), values.data(), values.data() + values.shape(0));
    std::size_t nodes = 1;
    for (const TreeView& view : views) nodes += view.nodes;
    if (nodes != by_node.size()) throw std::invalid_argument("one value per node is needed");
    return booster_->replay(by_node, error,
                            [&](const std::vector<LeafFactors>& factors) { store_.multiply(views, factors); });
  }

 private:
  PythonTeam team_;
  PartsBoosting store_;
};

}  // namespace

void register_boost(nb::module_& m) {
  nb::class_<BoostOptions>(m, "BoostingOptions")
      .def(nb::init<>())
      .def_rw("variant", &BoostOptions::variant)
      .def_rw("criterion", &BoostOptions::criterion)
      .def_rw("classes", &BoostOptions::classes)
      .def_rw("pairs", &BoostOptions::pairs)
      .def_rw("max_leaves", &BoostOptions::max_leaves)
      .def_rw("max_depth", &BoostOptions::max_depth)
      .def_rw("learning_rate", &BoostOptions::learning_rate)
      .def_rw("leaf_ratio_cap", &BoostOptions::leaf_ratio_cap)
      .def_rw("leaf_prior", &BoostOptions::leaf_prior)
      .def_rw("weight_fraction", &BoostOptions::weight_fraction)
      .def_rw("cut_fraction", &BoostOptions::cut_fraction)
      .def_rw("min_weight_fraction_leaf", &BoostOptions::min_weight_fraction_leaf)
      .def_rw("min_examples", &BoostOptions::min_examples)
      .def_rw("min_category_size", &BoostOptions::min_category_size)
      .def_rw("examples", &BoostOptions::examples)
      .def_rw("whole_weights", &BoostOptions::whole_weights)
      .def_rw("pass_over_chance", &BoostOptions::pass_over_chance)
      .def_rw("paper_rules", &BoostOptions::paper_rules)
      .def_rw("search", &BoostOptions::search)
      .def_rw("quick_start", &BoostOptions::quick_start)
      .def_rw("quick_batches", &BoostOptions::quick_batches)
      .def_rw("constraints", &BoostOptions::constraints);
  nb::class_<BoundBooster>(m, "Booster")
      .def("run", &BoundBooster::run, nb::arg("rounds"), nb::arg("allowed").none(), nb::arg("cut_seeds").none(),
           nb::arg("threads"));
  nb::class_<BoundMemoryBooster, BoundBooster>(m, "MemoryBooster")
      .def(nb::init<const EncodedTable&, FlatArray<std::int32_t>, std::optional<FlatArray<double>>,
                    std::optional<FlatArray<std::int64_t>>, const BoostOptions&>(),
           nb::keep_alive<1, 2>(), nb::arg("table"), nb::arg("labels"), nb::arg("weights").none(),
           nb::arg("examples").none(), nb::arg("options"))
      .def("replay", &BoundMemoryBooster::replay, nb::arg("leaf"), nb::arg("value"), nb::arg("error"));
  m.def("run_together", &run_memory_boosters, nb::arg("boosters"), nb::arg("rounds"), nb::arg("allowed").none(),
        nb::arg("cut_seeds").none(), nb::arg("threads"));
  nb::class_<BoundPartsBooster, BoundBooster>(m, "PartsBooster")
      .def(nb::init<const TablePlan&, nb::object, int, int, bool, std::int64_t, const BoostOptions&>(),
           nb::keep_alive<1, 2>(), nb::arg("plan"), nb::arg("team"), nb::arg("number"), nb::arg("target"),
           nb::arg("counted"), nb::arg("rows"), nb::arg("options"))
      .def("replay", &BoundPartsBooster::replay, nb::arg("tree"), nb::arg("value"), nb::arg("error"))
      .def("replay_pairs", &BoundPartsBooster::replay_pairs, nb::arg("trees"), nb::arg("values"),
           nb::arg("error"));
}

}  // namespace hardwood
