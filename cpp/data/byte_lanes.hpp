// The bytes of a lane side by side, where the words of a row stand side by side: rows that are divided by the
// lane then load a byte each, not a cache line for a few rows.
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/made_columns.hpp"
#include "data/row_kernels.hpp"

namespace hardwood {

class ByteLanes {
 public:
  // Of a lane of codes, for a node of so many rows: made for the first large one, used by all that come later.
  RowBytes of(const EncodedTable& table, std::uint32_t lane, std::size_t node_rows);

 private:
  MadeColumns<std::vector<std::uint8_t>> made_;
};

}  // namespace hardwood
