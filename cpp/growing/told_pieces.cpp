#include "growing/told_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "growing/fractional_division.hpp"
#include "growing/told_split.hpp"
#include "search/fractional/piece_cost.hpp"

namespace hardwood {

namespace {

// What each branch weighs with a value.
std::vector<double> branch_weights(const Split& split, std::size_t classes) {
  std::vector<double> out(static_cast<std::size_t>(split.arity), 0.0);
  for (std::size_t i = 0; i < split.weights.size(); ++i) out[i / classes] += split.weights[i];
  return out;
}

// The sum over the branches of phi(a_j + s_j m), the last first; split.weights are the a_j.
double cost_of_branches(const ToldSums& sums, const Split& split, const NodeTotals& totals) {
  const int classes = totals.classes;
  const std::vector<double> weight = branch_weights(split, sums.classes);
  const double known = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::vector<double> own(sums.classes), others(sums.classes);
  return with_criterion(totals.criterion, [&]<Criterion K>() {
    double sum = 0;
    for (std::size_t b = weight.size(); b-- > 0;) {
      const double share = weight[b] / known;
      for (std::size_t k = 0; k < sums.classes; ++k)
        own[k] = split.weights[b * sums.classes + k] + share * sums.missing()[k];
      sum_others(own.data(), classes, others.data());
      sum = phi_of_pieces<K>(own.data(), others.data(), classes) + sum;
    }
    return sum;
  });
}

}  // namespace

Split told_pieces(const ToldSums& sums, Split split, const NodeTotals& totals, const Instruction& told) {
  if (!divide_values(sums, told, split)) return {};
  std::vector<std::int64_t> known;
  for (double weight : branch_weights(split, sums.classes)) known.push_back(static_cast<std::int64_t>(weight));
  if (*std::min_element(known.begin(), known.end()) <= 0) return {};
  split.column = told.column;
  split.cost = cost_of_branches(sums, split, totals);
  split.weights.clear();  // what a branch weighs with its pieces is known when the examples are divided
  split.set_known(std::move(known), sums.any_missing());
  return split;
}

Split told_pieces(const Problem& problem, const Items& items, const NodeTotals& totals,
                  const Instruction& told) {
  const EncodedColumn& column = problem.table->columns[told.column];
  Split split;
  if (!set_told_cuts(column, told, split)) return {};
  const ToldSums sums = told_sums(
      *problem.table, column, items.by_class, split, [&](std::uint32_t i) { return items.row[i]; },
      [&](std::uint32_t i) { return items.weight[i]; });
  return told_pieces(sums, std::move(split), totals, told);
}

Items root_items(const Problem& problem, const NodeRows& root, const std::vector<std::uint32_t>& rows) {
  Items items;
  items.by_class = root;
  items.row = rows;
  for (std::uint32_t row : rows) {
    items.weight.push_back(problem.weight(row));
    if (problem.examples) items.examples.push_back(problem.examples[row]);
  }
  return items;
}

Items items_below(const Problem& problem, Items items, const std::vector<ToldAbove>& above) {
  for (const ToldAbove& each : above) {
    NodeTotals totals;  // the cost is of no interest here
    totals.classes = static_cast<int>(items.by_class.classes.size());
    Split split = told_pieces(problem, items, totals, each.split);
    if (!split.found() || each.branch >= split.arity) return {};
    items = std::move(divide(problem, items, split)[static_cast<std::size_t>(each.branch)]);
  }
  return items;
}

}  // namespace hardwood
