#include "bind/growth_options.hpp"

#include <stdexcept>

namespace hardwood {

void check_draft(const Draft& draft, std::size_t columns) {
  const auto inside = [&](const std::vector<std::uint32_t>& list) {
    for (std::uint32_t column : list)
      if (column >= columns) return false;
    return true;
  };
  const auto count = static_cast<std::int32_t>(draft.size());
  for (const Instruction& told : draft) {
    bool good = inside(told.never_here) && inside(told.never_below) && told.missing < told.arity;
    if (told.names_split()) good = good && told.column < columns && told.arity >= 2;
    good = good && told.codes.size() == told.branch_of.size();
    for (std::int32_t branch : told.branch_of) good = good && branch >= 0 && branch < told.arity;
    good = good && told.thresholds.size() < static_cast<std::size_t>(told.arity);
    // An instruction comes after the one above it, so that they form a tree.
    for (std::int32_t child : told.children)
      good = good && child < count && (child < 0 || &draft[child] > &told);
    if (!good) throw std::invalid_argument("an instruction of the draft is out of range");
  }
}

Problem problem_of(const EncodedTable& table, const Labels& labels, int classes, const Weights& weights,
                   const Weights& examples, const GrowthOptions& options) {
  const std::size_t n = table.rows;
  if (labels.shape(0) != n || (weights && weights->shape(0) != n) || (examples && examples->shape(0) != n))
    throw std::invalid_argument("labels and weights must have one entry per row");
  for (std::size_t i = 0; i < n; ++i)
    if (labels.data()[i] < 0 || labels.data()[i] >= classes)
      throw std::invalid_argument("labels must lie in [0, classes)");
  check_draft(options.draft, table.columns.size());
  Problem problem;
  problem.table = &table;
  problem.classes = classes;
  problem.weights = weights ? weights->data() : nullptr;
  problem.examples = examples ? examples->data() : nullptr;
  problem.criterion = options.criterion;
  return problem;
}

}  // namespace hardwood
