// Columns whose most frequent code is implicit, on their way into a table.
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"

namespace hardwood {

// Where the other codes of such a column stand.
struct EntryList {
  std::uint32_t column;
  std::vector<std::uint32_t> rows, codes;
};

// Writes the lists into the table, row by row; they are emptied on the way.
void assemble_entries(std::vector<EntryList> lists, EncodedTable& table);

}  // namespace hardwood
