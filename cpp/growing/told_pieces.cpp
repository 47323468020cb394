#include "growing/told_pieces.hpp"

#include <algorithm>
#include <numeric>

#include "data/code_reader.hpp"
#include "growing/fractional_division.hpp"
#include "growing/told_split.hpp"
#include "search/fractional/piece_cost.hpp"

namespace hardwood {

namespace {

// Class weights of the examples with a value by branch, and those of the examples without one.
struct KnownSums {
  std::size_t classes;
  std::vector<double> branches, missing;

  double weight(std::int32_t branch) const {
    const auto first =
        branches.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(branch) * classes);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(classes), 0.0);
  }
};

// The sum over the branches of phi(a_j + s_j m), the last first.
double cost_of_branches(const KnownSums& sums, std::int32_t arity, const NodeTotals& totals) {
  const int classes = totals.classes;
  double known = 0;
  for (std::int32_t b = 0; b < arity; ++b) known += sums.weight(b);
  std::vector<double> own(sums.classes), others(sums.classes);
  return with_criterion(totals.criterion, [&]<Criterion K>() {
    double sum = 0;
    for (std::int32_t b = arity; b-- > 0;) {
      const double share = sums.weight(b) / known;
      for (std::size_t k = 0; k < sums.classes; ++k)
        own[k] = sums.branches[static_cast<std::size_t>(b) * sums.classes + k] + share * sums.missing[k];
      sum_others(own.data(), classes, others.data());
      sum = phi_of_pieces<K>(own.data(), others.data(), classes) + sum;
    }
    return sum;
  });
}

// Calls body(code, class's place, weight) for every item.
template <class Body>
void for_codes(const Problem& problem, const Items& items, const EncodedColumn& column, Body body) {
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < items.by_class.classes.size(); ++k)
      for (std::uint32_t i = items.by_class.classes[k].begin; i < items.by_class.classes[k].end; ++i)
        body(code_of(items.row[i]), k, items.weight[i]);
  });
}

// The branch of every category that is named or present; the present ones that are not named go where most of
// the named ones are.
std::vector<std::int32_t> category_branches(const Problem& problem, const Items& items,
                                            const EncodedColumn& column, const Instruction& told) {
  std::vector<std::int32_t> branch(column.values, -1);
  for (std::size_t i = 0; i < told.codes.size(); ++i)
    if (told.codes[i] < column.values) branch[told.codes[i]] = told.branch_of[i];
  std::vector<std::int64_t> named(static_cast<std::size_t>(told.arity), 0);
  std::vector<char> present(column.values, 0);
  for_codes(problem, items, column, [&](std::uint32_t code, std::size_t, std::int64_t weight) {
    if (code == column.values) return;
    present[code] = 1;
    if (branch[code] >= 0) named[static_cast<std::size_t>(branch[code])] += weight;
  });
  const auto heaviest = static_cast<std::int32_t>(std::max_element(named.begin(), named.end()) - named.begin());
  for (std::uint32_t code = 0; code < column.values; ++code)
    if (branch[code] < 0 && present[code]) branch[code] = heaviest;
  return branch;
}

}  // namespace

Split told_pieces(const Problem& problem, const Items& items, const NodeTotals& totals,
                  const Instruction& told) {
  const EncodedColumn& column = problem.table->columns[told.column];
  Split split;
  split.arity = told.arity;
  if (!set_told_cuts(column, told, split)) return {};
  std::vector<std::int32_t> by_code;
  if (column.kind == ColumnKind::category) {
    by_code = category_branches(problem, items, column, told);
    for (std::uint32_t code = 0; code < column.values; ++code) {
      if (by_code[code] < 0) continue;
      split.codes.push_back(code);
      split.branch_of.push_back(by_code[code]);
    }
  }
  const std::size_t classes = items.by_class.classes.size();
  KnownSums sums{classes, std::vector<double>(classes * static_cast<std::size_t>(split.arity), 0.0),
                 std::vector<double>(classes, 0.0)};
  bool missing = false;
  for_codes(problem, items, column, [&](std::uint32_t code, std::size_t k, std::int64_t weight) {
    if (code == column.values) {
      missing = true;
      sums.missing[k] += static_cast<double>(weight);
      return;
    }
    const std::int32_t b = by_code.empty() ? split.interval_branch(code) : by_code[code];
    sums.branches[static_cast<std::size_t>(b) * classes + k] += static_cast<double>(weight);
  });
  std::vector<std::int64_t> known;
  for (std::int32_t b = 0; b < split.arity; ++b) known.push_back(static_cast<std::int64_t>(sums.weight(b)));
  if (*std::min_element(known.begin(), known.end()) <= 0) return {};
  split.column = told.column;
  split.cost = cost_of_branches(sums, split.arity, totals);
  split.set_known(std::move(known), missing);
  return split;
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
