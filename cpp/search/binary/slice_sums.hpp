// Class weights by slices of a column: of gathered rows, and as groups.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/portable.hpp"
#include "data/slices.hpp"
#include "search/binary/opened_rows.hpp"
#include "search/groups.hpp"

namespace hardwood {

// Adds weight_of(i, row) of the i-th row of one class to the cell of its slice.
template <class Cell, class WeightOf>
void add_to_slices(const Problem& problem, const EncodedColumn& column, const SliceDivision& division,
                   const OpenedRows::Class& part, Cell* cells, WeightOf weight_of) {
  const std::uint8_t* bucket_of = column.bucket_of.data();
  const std::uint32_t* const first = division.first.data();
  const StoredRow stored = problem.table->stored;
  const bool looked_up = problem.weights && !part.weights;
  with_fine(column.fine, [&](const auto* fine) {
    const int shift = division.shift;
    const auto add_row = [&](std::size_t i) {
      const std::uint32_t row = part.rows[i], at = stored(row);
      cells[first[bucket_of[at]] + (fine[at] >> shift)] += static_cast<Cell>(weight_of(i, row));
    };
    std::size_t i = 0;
    for (; i + ahead < part.count; ++i) {
      const std::uint32_t next = stored(part.rows[i + ahead]);
      prefetch(bucket_of + next);
      prefetch(fine + next);
      if (looked_up) prefetch(problem.weights + part.rows[i + ahead]);
      add_row(i);
    }
    for (; i < part.count; ++i) add_row(i);
  });
}

// The class weights of one class's rows; and their examples, where these are counted apart.
template <class Cell>
void add_class_to_slices(const Problem& problem, const EncodedColumn& column, const SliceDivision& division,
                         const OpenedRows::Class& part, Cell* cells, Cell* examples) {
  const auto add = [&](Cell* to, auto weight_of) {
    add_to_slices(problem, column, division, part, to, weight_of);
  };
  if (part.weights) add(cells, [&](std::size_t i, std::uint32_t) { return part.weights[i]; });
  else add(cells, [&](std::size_t, std::uint32_t row) { return problem.weight(row); });
  if (examples) add(examples, [&](std::size_t, std::uint32_t row) { return problem.examples[row]; });
}

// The non-empty ones of so many slices as groups, numbered from the first; sums[k] are those of channel k by
// slice, before[k] its weight before them.
template <class Cell>
void fill_from_slices(Groups& groups, const std::vector<const Cell*>& sums, int classes, std::uint32_t first,
                      std::uint32_t slices, const double* before) {
  groups.begin(static_cast<int>(sums.size()), slices);
  std::size_t count = 0;
  for (std::uint32_t s = 0; s < slices; ++s) {
    Cell any = 0;
    for (int k = 0; k < classes; ++k) any |= sums[k][first + s];
    groups.code[count] = s;
    count += any != 0 ? 1 : 0;
  }
  groups.count = count;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Cell* from = sums[k] + first;
    double* to = groups.left.data() + k * groups.stride;
    double sum = to[0] = before[k];
    for (std::size_t g = 0; g < count; ++g) to[g + 1] = sum += static_cast<double>(from[groups.code[g]]);
  }
}

// The most that the shares of two classes' weights below a cut differ, at the ends of slices or, where a slice
// has more than one code, inside them.
template <class Cell>
double most_uneven(const Cell* first, const Cell* second, std::uint32_t slices, bool of_one_code) {
  double all0 = 0, all1 = 0, left0 = 0, left1 = 0, most = 0;
  for (std::uint32_t s = 0; s < slices; ++s) {
    all0 += static_cast<double>(first[s]);
    all1 += static_cast<double>(second[s]);
  }
  if (all0 == 0 || all1 == 0) return 0;
  for (std::uint32_t s = 0; s < slices; ++s) {
    const double before0 = left0 / all0, before1 = left1 / all1;
    const double after0 = (left0 += static_cast<double>(first[s])) / all0;
    const double after1 = (left1 += static_cast<double>(second[s])) / all1;
    most =
        std::max(most, of_one_code ? std::abs(after0 - after1) : std::max(after0 - before1, after1 - before0));
  }
  return most;
}

}  // namespace hardwood
