#include "growing/told_split.hpp"

#include <bit>
#include <limits>
#include <numeric>

#include "data/code_reader.hpp"
#include "data/load.hpp"

namespace hardwood {

namespace {

// The last code that is not above a threshold; negative where all are.
std::int64_t cut_at(const EncodedColumn& column, const Threshold& threshold) {
  if (column.kind == ColumnKind::numeric) {
    const auto& book = column.codebook;
    return std::upper_bound(book.begin(), book.end(), threshold.value) - book.begin() - 1;
  }
  const std::uint64_t flip = key_flip(column.kind);
  const std::uint64_t cut = std::bit_cast<std::uint64_t>(threshold.integer) ^ flip;
  const auto& book = column.wide_codebook;
  return std::upper_bound(book.begin(), book.end(), cut,
                          [&](std::uint64_t t, std::uint64_t value) { return t < (value ^ flip); }) -
         book.begin() - 1;
}

// Class weights per code of a column at a node, missing values last.
std::vector<double> weights_by_code(const Problem& problem, const NodeRows& node, const std::uint32_t* rows,
                                    const EncodedColumn& column) {
  const std::size_t classes = node.classes.size();
  std::vector<double> out((std::size_t{column.values} + 1) * classes, 0.0);
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < classes; ++k)
      for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
        out[code_of(rows[i]) * classes + k] += static_cast<double>(problem.weight(rows[i]));
  });
  return out;
}

// The same per branch of the cuts, which is all that a split of numbers needs: a column may have as many codes
// as rows. Weights are whole numbers, so the order of the sums is free.
std::vector<double> weights_by_branch(const Problem& problem, const NodeRows& node, const std::uint32_t* rows,
                                      const EncodedColumn& column, const Split& split) {
  const std::size_t classes = node.classes.size(), branches = static_cast<std::size_t>(split.arity);
  std::vector<double> out((branches + 1) * classes, 0.0);
  with_codes(*problem.table, column, [&](auto code_of) {
    for (std::size_t k = 0; k < classes; ++k)
      for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i) {
        const std::uint32_t code = code_of(rows[i]);
        const std::size_t b =
            code == column.values ? branches : static_cast<std::size_t>(split.interval_branch(code));
        out[b * classes + k] += static_cast<double>(problem.weight(rows[i]));
      }
  });
  return out;
}

class Assembly {
 public:
  Assembly(std::vector<double> by_code, const NodeTotals& totals, std::uint32_t column, Split& split)
      : by_code_(std::move(by_code)), totals_(totals), column_(column),
        classes_(static_cast<std::size_t>(totals.classes)), split_(split) {
    split.weights.assign(classes_ * static_cast<std::size_t>(split.arity), 0.0);
  }

  bool present(std::size_t code) const {
    const auto first = by_code_.begin() + static_cast<std::ptrdiff_t>(code * classes_);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(classes_), [](double w) { return w > 0; });
  }
  void add(std::size_t code, std::int32_t branch) {
    for (std::size_t k = 0; k < classes_; ++k)
      split_.weights[static_cast<std::size_t>(branch) * classes_ + k] += by_code_[code * classes_ + k];
  }
  void take(std::size_t code, std::int32_t branch) {
    for (std::size_t k = 0; k < classes_; ++k)
      split_.weights[static_cast<std::size_t>(branch) * classes_ + k] -= by_code_[code * classes_ + k];
  }
  // Under the node's constraints, which know splits in two alone.
  double cost() const {
    if (!totals_.constraint) return plain_cost();
    if (split_.arity != 2) return impossible;
    const double* weights = split_.weights.data();
    return totals_.constraint->cost(split_.cuts.empty() ? none : column_, {weights, classes_},
                                    {weights + classes_, classes_}, plain_cost(), impossible);
  }
  double plain_cost() const {
    return with_criterion(totals_.criterion, [&]<Criterion K>() {
      double sum = 0;
      for (std::size_t b = static_cast<std::size_t>(split_.arity); b-- > 0;)
        sum = phi<K>(split_.weights.data() + b * classes_, totals_.classes) + sum;
      return sum;
    });
  }
  // Where missing values, known to be there, cost least.
  std::int32_t cheapest(std::size_t missing) {
    double least = std::numeric_limits<double>::infinity();
    std::int32_t best = 0;
    for (std::int32_t b = 0; b < split_.arity; ++b) {
      add(missing, b);
      if (const double each = cost(); each < least) least = each, best = b;
      take(missing, b);
    }
    return best;
  }
  bool any_empty() const {
    for (std::size_t b = 0; b < static_cast<std::size_t>(split_.arity); ++b) {
      const auto first = split_.weights.begin() + static_cast<std::ptrdiff_t>(b * classes_);
      if (std::accumulate(first, first + static_cast<std::ptrdiff_t>(classes_), 0.0) <= 0) return true;
    }
    return false;
  }

 private:
  std::vector<double> by_code_;
  const NodeTotals& totals_;
  std::uint32_t column_;
  std::size_t classes_;
  Split& split_;
};

// Categories that are not named go where most of the named ones are.
void add_categories(const EncodedColumn& column, const Instruction& told, Split& split, Assembly& sums) {
  std::vector<std::int32_t> branch(column.values, -1);
  for (std::size_t i = 0; i < told.codes.size(); ++i)
    if (told.codes[i] < column.values) branch[told.codes[i]] = told.branch_of[i];
  for (std::uint32_t code = 0; code < column.values; ++code)
    if (branch[code] >= 0) sums.add(code, branch[code]);
  split.set_default_branch();
  for (std::uint32_t code = 0; code < column.values; ++code) {
    if (branch[code] < 0) {
      if (!sums.present(code)) continue;
      sums.add(code, branch[code] = split.default_branch);
    }
    split.codes.push_back(code);
    split.branch_of.push_back(branch[code]);
  }
}

}  // namespace

bool set_told_cuts(const EncodedColumn& column, const Instruction& told, Split& split) {
  std::int64_t before = -1;
  for (const Threshold& threshold : told.thresholds) {
    const std::int64_t cut = cut_at(column, threshold);
    if (cut <= before) return false;
    split.cuts.push_back(static_cast<std::uint64_t>(cut));
    before = cut;
  }
  split.given = told.thresholds;
  return true;
}

Split told_split(const Problem& problem, const NodeRows& node, const std::uint32_t* rows,
                 const NodeTotals& totals, const Instruction& told) {
  const EncodedColumn& column = problem.table->columns[told.column];
  Split split;
  split.arity = told.arity;
  if (!set_told_cuts(column, told, split)) return {};
  const bool category = column.kind == ColumnKind::category;
  Assembly sums(category ? weights_by_code(problem, node, rows, column)
                         : weights_by_branch(problem, node, rows, column, split),
                totals, told.column, split);
  const std::size_t missing = category ? column.values : static_cast<std::size_t>(split.arity);
  if (category) {
    add_categories(column, told, split, sums);
  } else {
    for (std::int32_t b = 0; b < split.arity; ++b) sums.add(static_cast<std::size_t>(b), b);
  }
  if (sums.present(missing)) {
    split.missing_branch = told.missing >= 0 ? told.missing : sums.cheapest(missing);
    sums.add(missing, split.missing_branch);
  }
  if (sums.any_empty()) return {};
  split.column = told.column;
  split.cost = sums.cost();
  split.set_default_branch();
  return split;
}

}  // namespace hardwood
