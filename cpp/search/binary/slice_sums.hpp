// Class weights by slices of a column, of gathered rows.
#pragma once

#include "base/portable.hpp"
#include "data/slices.hpp"
#include "search/binary/opened_rows.hpp"

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

}  // namespace hardwood
