// One column's code of any row, however the column is stored.
#pragma once

#include <algorithm>

#include "data/encoded_table.hpp"

namespace hardwood {

// Calls body(code_of) with a function from row to code, made for the column's storage.
template <class Body>
void with_codes(const EncodedTable& table, const EncodedColumn& column, Body&& body) {
  if (column.storage == Storage::constant) return body([](std::uint32_t) { return std::uint32_t{0}; });
  if (column.storage == Storage::entries) {
    const std::uint32_t first = column.first_cell, end = first + column.codes();
    return body([&, first, end](std::uint32_t row) {
      const auto entries = table.row_entries(row);
      const auto at = std::lower_bound(entries.begin(), entries.end(), first);
      return at != entries.end() && *at < end ? *at - first : column.implicit_code;
    });
  }
  const LaneView lane = lane_view(table, column.lane);
  if (column.storage == Storage::bundle)
    return body([&, lane](std::uint32_t row) { return std::uint32_t{column.digits[lane[row]]}; });
  if (!column.bucketed()) return body([lane](std::uint32_t row) { return lane[row]; });
  // The fine code of a missing value is taken from no bucket's start: its lane code decides.
  with_fine(column.fine, [&](const auto* fine) {
    const std::uint32_t missing = column.missing_lane_code();
    const std::uint8_t* bucket_of = column.bucket_of.data();
    body([&, bucket_of, fine, missing](std::uint32_t given) {
      const std::uint32_t row = table.stored(given), bucket = bucket_of[row];
      return bucket == missing ? column.values : column.bucket_start[bucket] + fine[row];
    });
  });
}

}  // namespace hardwood
