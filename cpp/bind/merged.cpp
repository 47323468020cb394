#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bind/register.hpp"
#include "bind/sums.hpp"
#include "boosting/leaf_factors.hpp"
#include "distributed/merged_search.hpp"
#include "search/prices.hpp"

namespace hardwood {

namespace {

// A node's search, from its class weights over all parts.
class BoundSearch {
 public:
  // `weights`: per class, then examples when counted.
  BoundSearch(const TablePlan& plan, int criterion, const std::vector<double>& weights, int classes,
              double min_weight, double min_examples)
      : channels_(static_cast<int>(weights.size())), plan_(plan),
        search_(plan, totals_of(criterion, weights, classes, {min_weight, min_examples}),
                present(weights, classes), channels_) {}

  void run(FlatArray<std::int64_t> cells, std::optional<FlatArray<std::uint8_t>> allowed) {
    const std::int64_t* checked = check(cells);
    std::vector<char> flags;
    if (allowed) flags.assign(allowed->data(), allowed->data() + allowed->shape(0));
    if (allowed && flags.size() != plan_.columns.size())
      throw std::invalid_argument("one flag per column is needed");
    nb::gil_scoped_release release;
    search_.run(checked, allowed ? &flags : nullptr);
  }
  void try_listed(std::uint32_t column, const KeySumsBatch& batch, std::size_t i) {
    search_.try_listed(column, of_batch(batch, i));
  }
  nb::list wanted(double rows, bool first) {
    nb::list out;
    for (const WantedKeys& each : search_.wanted(rows, first)) {
      nb::list intervals;
      for (const KeyInterval& k : each.intervals) intervals.append(nb::make_tuple(k.low, k.high, k.step));
      out.append(nb::make_tuple(each.column, intervals, each.keys));
    }
    return out;
  }
  void offer(FlatArray<std::int64_t> cells, std::uint32_t column, const KeySumsBatch& batch, std::size_t i) {
    const KeySums& sums = of_batch(batch, i);
    const std::int64_t* checked = check(cells);
    nb::gil_scoped_release release;
    search_.offer(checked, column, sums);
  }

  // None, or the candidate's fields.
  nb::object best() const {
    const Candidate& best = search_.best();
    if (!best.found()) return nb::none();
    nb::dict out;
    out["cost"] = best.cost;
    out["column"] = best.column;
    out["cut"] = best.cut;
    out["missing_right"] = best.missing_right;
    out["missing_seen"] = best.missing_seen;
    out["group"] = best.group;
    out["next_group"] = best.next_group;
    out["left_codes"] = best.left_codes;
    out["right_codes"] = best.right_codes;
    out["left_weights"] = best.left_weights;
    return out;
  }

  nb::object wide(const std::vector<double>& prices, double min_drop, double root_weight, bool binary,
                  FlatArray<std::int64_t> cells, nb::dict keys) {
    std::vector<KeySums> sums(plan_.columns.size());
    for (auto [column, given] : keys) {
      const nb::tuple place = nb::cast<nb::tuple>(given);
      sums.at(nb::cast<std::size_t>(column)) =
          of_batch(nb::cast<const KeySumsBatch&>(place[0]), nb::cast<std::size_t>(place[1]));
    }
    const std::int64_t* checked = check(cells);
    MergedBranching found;
    {
      nb::gil_scoped_release release;
      found = search_.wide({prices, min_drop, root_weight, binary}, checked, sums);
    }
    if (!found.split.found()) return nb::none();
    nb::dict out;
    out["cost"] = found.split.cost;
    out["column"] = found.split.column;
    out["arity"] = found.split.arity;
    out["lower"] = found.lower;
    out["upper"] = found.upper;
    out["codes"] = found.split.codes;
    out["branch_of"] = found.split.branch_of;
    out["missing_branch"] = found.split.missing_branch;
    out["weights"] = found.split.weights;
    return out;
  }

  bool exact() const { return search_.exact(); }
  double cost() const { return search_.totals().cost; }

 private:
  static std::vector<int> present(const std::vector<double>& weights, int classes) {
    std::vector<int> out;
    for (int c = 0; c < classes; ++c)
      if (weights[c] > 0) out.push_back(c);
    return out;
  }
  static NodeTotals totals_of(int criterion, const std::vector<double>& weights, int classes,
                              BranchLimits limits) {
    NodeTotals out;
    out.criterion = static_cast<Criterion>(criterion);
    out.limits = limits;
    for (int c : present(weights, classes)) out.total.push_back(weights[c]);
    out.classes = static_cast<int>(out.total.size());
    for (double weight : out.total) out.weight += weight;
    out.cost =
        with_criterion(out.criterion, [&]<Criterion K>() { return phi<K>(out.total.data(), out.classes); });
    if (weights.size() > static_cast<std::size_t>(classes)) out.total.push_back(weights.back());
    return out;
  }
  const KeySums& of_batch(const KeySumsBatch& batch, std::size_t i) const {
    if (batch.channels != static_cast<std::size_t>(channels_) || i >= batch.sums.size())
      throw std::invalid_argument("keys of another search");
    return batch.sums[i];
  }
  const std::int64_t* check(const FlatArray<std::int64_t>& cells) const {
    if (cells.shape(0) != channels_ * plan_.total) throw std::invalid_argument("a histogram of another size");
    return cells.data();
  }

  int channels_;
  const TablePlan& plan_;
  MergedSearch search_;
};

struct BoundPrices {
  Prices prices;
  BoundPrices(double gamma, std::int64_t max_branches, std::int64_t budget)
      : prices(gamma, max_branches, budget) {}
};

}  // namespace

void register_merged(nb::module_& m) {
  nb::class_<BoundSearch>(m, "MergedSearch")
      .def(nb::init<const TablePlan&, int, const std::vector<double>&, int, double, double>(),
           nb::keep_alive<1, 2>(), nb::arg("plan"), nb::arg("criterion"), nb::arg("weights"),
           nb::arg("classes"), nb::arg("min_weight"), nb::arg("min_examples"))
      .def("run", &BoundSearch::run, nb::arg("cells"), nb::arg("allowed").none())
      .def("try_listed", &BoundSearch::try_listed, nb::arg("column"), nb::arg("batch"), nb::arg("i"))
      .def("wanted", &BoundSearch::wanted, nb::arg("rows"), nb::arg("first"))
      .def("offer", &BoundSearch::offer, nb::arg("cells"), nb::arg("column"), nb::arg("batch"), nb::arg("i"))
      .def("best", &BoundSearch::best)
      .def("wide", &BoundSearch::wide, nb::arg("prices"), nb::arg("min_drop"), nb::arg("root_weight"),
           nb::arg("binary"), nb::arg("cells"), nb::arg("keys"))
      .def_prop_ro("exact", &BoundSearch::exact)
      .def_prop_ro("cost", &BoundSearch::cost);
  nb::class_<BoundPrices>(m, "BranchPrices")
      .def(nb::init<double, std::int64_t, std::int64_t>(), nb::arg("gamma"), nb::arg("max_branches"),
           nb::arg("budget"))
      .def(
          "price", [](BoundPrices& p, std::int64_t k) { return p.prices.price(k); }, nb::arg("branches"))
      .def(
          "widest", [](BoundPrices& p, std::int64_t leaves) { return p.prices.widest(leaves); },
          nb::arg("leaves"));
  m.def(
      "leaf_value",
      [](int variant, double cap, const std::vector<double>& weights) {
        return leaf_value(static_cast<Variant>(variant), cap, static_cast<int>(weights.size()), weights.data());
      },
      nb::arg("variant"), nb::arg("cap"), nb::arg("weights"));
  m.def(
      "stop_after",
      [](double mistakes, double weight, int classes) {
        return static_cast<int>(stop_after(mistakes, weight, classes));
      },
      nb::arg("mistakes"), nb::arg("weight"), nb::arg("classes"));
  m.def(
      "tree_weight",
      [](int variant, double rate, int classes, double mistakes, double weight) {
        return tree_weight(static_cast<Variant>(variant), rate, classes, mistakes, weight);
      },
      nb::arg("variant"), nb::arg("rate"), nb::arg("classes"), nb::arg("mistakes"), nb::arg("weight"));
  m.def(
      "leaf_factors",
      [](int variant, double rate, int classes, double value, double error) {
        const LeafFactors out = leaf_factors(static_cast<Variant>(variant), rate, classes, value, error);
        return nb::make_tuple(out.same, out.other, out.label);
      },
      nb::arg("variant"), nb::arg("rate"), nb::arg("classes"), nb::arg("value"), nb::arg("error"));
}

}  // namespace hardwood
