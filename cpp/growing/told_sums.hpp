// What a split that was decided beforehand needs to know of a node: class weights, wherever the rows are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/code_reader.hpp"
#include "data/problem.hpp"
#include "growing/draft.hpp"

namespace hardwood {

// Class weights per class present, group by group: of a category column a group is a code, of numbers an
// interval between the cuts. The last group are the missing values.
struct ToldSums {
  bool category;
  std::size_t classes, groups;  // groups: without the missing values
  std::vector<double> weights;

  ToldSums(bool of_categories, std::size_t class_count, std::size_t group_count)
      : category(of_categories), classes(class_count), groups(group_count),
        weights((group_count + 1) * class_count, 0.0) {}

  double& at(std::size_t group, std::size_t k) { return weights[group * classes + k]; }
  const double* of(std::size_t group) const { return weights.data() + group * classes; }
  const double* missing() const { return of(groups); }
  bool present(std::size_t group) const {
    return std::any_of(of(group), of(group) + classes, [](double weight) { return weight > 0; });
  }
  bool any_missing() const { return present(groups); }
};

// Gives the rows with a value their branches: the codes of categories, and split.weights. Categories that the
// instruction does not name join the heaviest branch of those that it names, and are listed there. False where
// an interval between thresholds has no row with a value.
bool divide_values(const ToldSums& sums, const Instruction& told, Split& split);

// Of rows in memory; split has the cuts. Weights are whole numbers, so the order of the sums is free.
template <class RowOf, class WeightOf>
ToldSums told_sums(const EncodedTable& table, const EncodedColumn& column, const NodeRows& by_class,
                   const Split& split, RowOf row_of, WeightOf weight_of) {
  const bool category = column.kind == ColumnKind::category;
  ToldSums sums(category, by_class.classes.size(), category ? column.values : split.cuts.size() + 1);
  with_codes(table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < sums.classes; ++k)
      for (std::uint32_t i = by_class.classes[k].begin; i < by_class.classes[k].end; ++i) {
        const std::uint32_t code = code_of(row_of(i));
        std::size_t group = code;
        if (code == column.values) group = sums.groups;
        else if (!category) group = static_cast<std::size_t>(split.interval_branch(code));
        sums.at(group, k) += static_cast<double>(weight_of(i));
      }
  });
  return sums;
}

}  // namespace hardwood
