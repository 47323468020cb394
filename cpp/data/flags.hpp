// Two-valued columns of bundles, row by row: which of them have their rarer value.
//
// A bundle's lane is one update of a histogram for all its columns, but the sums of each column must then be
// found among those of up to 256 codes, at every node. Where the rows have few rarer values, a list of them is
// as short as the list of lanes, and every column has a sum of its own: a *flag*. The lanes stay, for whoever
// looks at the code of a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hardwood {

struct EncodedTable;

struct Flags {
  std::vector<std::uint32_t> columns;  // of each flag, ascending
  std::vector<std::uint8_t> rarer;     // of each flag: the code, 0 or 1, of the rows that have it
  std::vector<std::uint32_t>
      flag_of;                       // of each column of the table, or no_flag; empty where there are no flags
  std::vector<char> covers;          // of each lane: whether all its columns are flags
  std::vector<std::uint32_t> begin;  // rows + 1
  std::vector<std::uint16_t> list;   // flags of each row, one row after the other

  static constexpr std::uint32_t no_flag = 0xffffffffu;
  bool any() const { return !columns.empty(); }
  bool covers_column(std::uint32_t column) const { return any() && flag_of[column] != no_flag; }
  std::span<const std::uint16_t> of(std::uint32_t row) const {
    return {list.data() + begin[row], list.data() + begin[row + 1]};
  }
};

// The flags of a table, none where they would be more updates than its lanes are.
Flags list_flags(const EncodedTable& table);

}  // namespace hardwood
