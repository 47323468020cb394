// The rows of a bucketed column in ascending order of code.
//
//   rows    | bucket 0: row of the least code, ...  | bucket 1: ... | ...     rows of equal code ascend
//   start   the place of each bucket's first row, then their number; missing values are left out
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/made_columns.hpp"

namespace hardwood {

class CodeOrder {
 public:
  struct Column {
    std::vector<std::uint32_t> rows, start;
    bool distinct = false;  // every code has one row: a row's place is its code
  };
  const Column& of(const EncodedTable& table, std::uint32_t column);

 private:
  MadeColumns<Column> made_;
};

}  // namespace hardwood
