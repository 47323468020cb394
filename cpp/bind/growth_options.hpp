// What the functions of the module take that look at rows in memory: labels, weights, options.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "bind/constraints.hpp"
#include "data/problem.hpp"
#include "growing/growth_rules.hpp"
#include "growing/share_constraint.hpp"

namespace hardwood {

using Labels = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig>;
using Weights = std::optional<nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig>>;

struct GrowthOptions {
  Criterion criterion = Criterion::km;
  LeafChoice leaf_choice = LeafChoice::drop;
  int threads = 1;
  std::int64_t max_leaves = 0;
  std::int32_t max_depth = 0;
  double min_drop = 0, min_weight = 0, min_examples = 0;
  std::int64_t min_category_size = 1, examples = 0;
  bool multiway = false;
  double gamma = 0;               // 0: Hatano's price
  std::int64_t max_branches = 0;  // 0: the budget
  bool fractional = false;
  ConstraintOptions constraints;
  Draft draft;  // empty: nothing was decided beforehand

  Prices prices() const { return {gamma, max_branches, max_leaves}; }
  // columns: of the table.
  GrowthRules rules(Prices& prices, std::size_t columns, int classes) const {
    GrowthRules out;
    out.criterion = criterion;
    out.leaf_choice = leaf_choice;
    out.max_leaves = max_leaves;
    out.max_depth = max_depth;
    out.min_drop = min_drop;
    out.search = GrowthRules::Search::bounded;
    out.limits = {min_weight, min_examples, {}};
    out.min_category_size = min_category_size;
    out.examples = examples;
    if (multiway) out.prices = &prices;
    out.interactions = constraints.interactions();
    if (constraints.monotone())
      out.monotone = std::make_shared<ShareConstraints>(ShareRules{
          constraints.signs_by_column(), constraints.outputs, classes, constraints.prior, constraints.unit});
    if (!draft.empty()) {
      out.draft = &draft;
      out.columns = columns;
    }
    if (out.opens_columns()) out.search = GrowthRules::Search::histograms;
    return out;
  }
};

// Throws unless the instructions are about a table of so many columns.
void check_draft(const Draft& draft, std::size_t columns);

// The rows of a table as a problem; refuses labels and weights that are not the table's.
Problem problem_of(const EncodedTable& table, const Labels& labels, int classes, const Weights& weights,
                   const Weights& examples, const GrowthOptions& options);

}  // namespace hardwood
