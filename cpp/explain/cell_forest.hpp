// Trees over cells: what branch and bound over boxes sees of a boosted model.
//
// The cuts and groups of all trees divide the values of a column into cells; no tree tells two values of a cell
// apart. A leaf is a list of conditions, each of which allows some cells of one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hardwood {

struct CellForest {
  std::vector<std::int32_t> column_begin;     // [columns + 1] cells of column j, of all columns in a row
  std::vector<std::int32_t> tree_begin;       // [trees + 1] leaves of tree t
  std::vector<double> addend;                 // [leaves] what a leaf adds
  std::vector<std::int32_t> place;            // [leaves] to which output
  std::vector<std::int32_t> condition_begin;  // [leaves + 1] conditions of a leaf
  std::vector<std::int32_t> condition_column;
  std::vector<std::int64_t> cells_begin;  // [conditions + 1] a condition's part of `allowed`
  std::vector<std::uint8_t> allowed;      // 1 for each cell of the condition's column that it allows
  std::int32_t outputs = 1;

  std::size_t columns() const { return column_begin.size() - 1; }
  std::size_t trees() const { return tree_begin.size() - 1; }
  std::size_t conditions() const { return condition_column.size(); }
};

}  // namespace hardwood
