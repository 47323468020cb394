#include "growing/told_split.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "data/load.hpp"

namespace hardwood {

namespace {

// The last code that is not above a threshold; none where all are.
std::optional<std::uint64_t> cut_at(const EncodedColumn& column, const Threshold& threshold) {
  std::ptrdiff_t count = 0;  // of values that are not above
  if (column.kind == ColumnKind::numeric) {
    const auto& book = column.codebook;
    count = std::upper_bound(book.begin(), book.end(), threshold.value) - book.begin();
  } else {
    const std::uint64_t flip = key_flip(column.kind);
    const std::uint64_t cut = std::bit_cast<std::uint64_t>(threshold.integer) ^ flip;
    const auto& book = column.wide_codebook;
    count = std::upper_bound(book.begin(), book.end(), cut,
                             [&](std::uint64_t t, std::uint64_t value) { return t < (value ^ flip); }) -
            book.begin();
  }
  if (count == 0) return {};
  return static_cast<std::uint64_t>(count) - 1;
}

// Missing values among the branches of a split whose weights are those of the rows with a value.
class Assembly {
 public:
  Assembly(const ToldSums& sums, const NodeTotals& totals, std::uint32_t column, Split& split)
      : sums_(sums), totals_(totals), column_(column), split_(split) {}

  void add_missing(std::int32_t branch, double sign = 1) {
    double* to = split_.weights.data() + static_cast<std::size_t>(branch) * sums_.classes;
    for (std::size_t k = 0; k < sums_.classes; ++k) to[k] += sign * sums_.missing()[k];
  }
  // Under the node's constraints, which know splits in two alone.
  double cost() const {
    if (!totals_.constraint) return plain_cost();
    if (split_.arity != 2) return impossible;
    const double* weights = split_.weights.data();
    return totals_.constraint->cost(split_.cuts.empty() ? none : column_, {weights, sums_.classes},
                                    {weights + sums_.classes, sums_.classes}, plain_cost(), impossible);
  }
  // Where missing values, known to be there, cost least.
  std::int32_t cheapest() {
    double least = std::numeric_limits<double>::infinity();
    std::int32_t best = 0;
    for (std::int32_t b = 0; b < split_.arity; ++b) {
      add_missing(b);
      if (const double each = cost(); each < least) least = each, best = b;
      add_missing(b, -1);
    }
    return best;
  }
  bool any_empty() const {
    for (std::size_t b = 0; b < static_cast<std::size_t>(split_.arity); ++b) {
      const auto first = split_.weights.begin() + static_cast<std::ptrdiff_t>(b * sums_.classes);
      if (std::accumulate(first, first + static_cast<std::ptrdiff_t>(sums_.classes), 0.0) <= 0) return true;
    }
    return false;
  }

 private:
  double plain_cost() const {
    return with_criterion(totals_.criterion, [&]<Criterion K>() {
      double sum = 0;
      for (std::size_t b = static_cast<std::size_t>(split_.arity); b-- > 0;)
        sum = phi<K>(split_.weights.data() + b * sums_.classes, totals_.classes) + sum;
      return sum;
    });
  }

  const ToldSums& sums_;
  const NodeTotals& totals_;
  std::uint32_t column_;
  Split& split_;
};

}  // namespace

bool set_told_cuts(const EncodedColumn& column, const Instruction& told, Split& split) {
  return set_told_cuts(told, split, [&](const Threshold& each) { return cut_at(column, each); });
}

Split told_split(const ToldSums& sums, Split split, const NodeTotals& totals, const Instruction& told) {
  if (!divide_values(sums, told, split)) return {};
  Assembly assembly(sums, totals, told.column, split);
  if (sums.any_missing()) {
    split.missing_branch = told.missing >= 0 ? told.missing : assembly.cheapest();
    assembly.add_missing(split.missing_branch);
  }
  if (assembly.any_empty()) return {};
  split.column = told.column;
  split.cost = assembly.cost();
  split.set_default_branch();
  return split;
}

Split told_split(const Problem& problem, const NodeRows& node, const std::uint32_t* rows,
                 const NodeTotals& totals, const Instruction& told) {
  const EncodedColumn& column = problem.table->columns[told.column];
  Split split;
  if (!set_told_cuts(column, told, split)) return {};
  const ToldSums sums = told_sums(
      *problem.table, column, node, split, [&](std::uint32_t i) { return rows[i]; },
      [&](std::uint32_t i) { return problem.weight(rows[i]); });
  return told_split(sums, std::move(split), totals, told);
}

}  // namespace hardwood
