#include "data/entry_lists.hpp"

#include <algorithm>
#include <stdexcept>

#include "data/bucket_bounds.hpp"

namespace hardwood {

namespace {

// The buckets of a column with entries; a category has one per code, since its codes have no order.
void set_buckets(const EntryList& list, std::size_t rows, EncodedColumn& column) {
  if (column.kind == ColumnKind::category) {
    column.entry_start.resize(column.values + 1);
    for (std::uint32_t code = 0; code <= column.values; ++code) column.entry_start[code] = code;
    return;
  }
  std::vector<std::uint32_t> frequency(column.codes(), 0);
  for (std::uint32_t code : list.codes) ++frequency[code];
  frequency[column.implicit_code] = static_cast<std::uint32_t>(rows - list.codes.size());
  frequency.resize(column.values);
  column.entry_start = bucket_bounds(frequency, lane_codes, column.implicit_code);
}

}  // namespace

void assemble_entries(std::vector<EntryList> lists, EncodedTable& table) {
  if (lists.empty()) return;
  std::sort(lists.begin(), lists.end(),
            [](const EntryList& a, const EntryList& b) { return a.column < b.column; });
  auto& begin = table.entry_begin;
  begin.assign(table.rows + 1, 0);
  std::uint64_t cells = 0, buckets = 0;
  for (const EntryList& list : lists) {
    EncodedColumn& column = table.columns[list.column];
    set_buckets(list, table.rows, column);
    table.entry_columns.push_back(list.column);
    column.first_cell = static_cast<std::uint32_t>(cells);
    column.first_bucket = static_cast<std::uint32_t>(buckets);
    cells += column.codes();
    buckets += column.entry_buckets();
    if (cells > 0xffffffffu) throw std::length_error("more than 2^32 distinct values in rare columns");
    for (std::uint32_t row : list.rows) ++begin[row + 1];
  }
  table.entry_cells = static_cast<std::uint32_t>(cells);
  table.entry_buckets = static_cast<std::uint32_t>(buckets);
  for (std::size_t i = 0; i < table.rows; ++i) begin[i + 1] += begin[i];
  table.entries.resize(begin.back());
  table.entry_bucket.resize(begin.back());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  std::vector<std::uint32_t> bucket_of;
  for (EntryList& list : lists) {
    const EncodedColumn& column = table.columns[list.column];
    bucket_of.resize(column.values + 1);
    for (std::uint32_t b = 0; b + 1 < column.entry_start.size(); ++b)
      std::fill(bucket_of.begin() + column.entry_start[b], bucket_of.begin() + column.entry_start[b + 1], b);
    bucket_of[column.values] = column.entry_buckets() - 1;  // missing values
    for (std::size_t i = 0; i < list.rows.size(); ++i) {
      const std::uint64_t at = next[list.rows[i]]++;
      table.entries[at] = column.first_cell + list.codes[i];
      table.entry_bucket[at] = column.first_bucket + bucket_of[list.codes[i]];
    }
    list = {};
  }
}

}  // namespace hardwood
