#include "data/pair_table.hpp"

#include <stdexcept>

#include "data/reorder.hpp"

namespace hardwood {

namespace {

void add_class_column(EncodedTable& pairs, int classes) {
  EncodedColumn column;
  column.storage = Storage::lane;
  column.whole = true;
  column.values = static_cast<std::uint32_t>(classes);
  for (int c = 0; c < classes; ++c) column.codebook.push_back(c);
  column.lane = static_cast<std::uint32_t>(pairs.lanes.size());
  if (column.lane % tile_lanes == 0) pairs.tiles.emplace_back(pairs.rows, 0);
  const int shift = static_cast<int>(column.lane % tile_lanes) * 8;
  std::uint64_t* words = pairs.tiles.back().data();
  for (std::size_t p = 0; p < pairs.rows; ++p) words[p] |= std::uint64_t{p % classes} << shift;
  pairs.lanes.push_back({column.values, {static_cast<std::uint32_t>(pairs.columns.size())}});
  pairs.columns.push_back(std::move(column));
}

}  // namespace

EncodedTable pair_table(const EncodedTable& table, int classes, Pool& pool) {
  if (classes < 2 || static_cast<std::uint32_t>(classes) > lane_codes)
    throw std::invalid_argument("pairs need 2 to 256 classes");
  const std::size_t rows = table.rows * static_cast<std::size_t>(classes);
  if (rows > ~std::uint32_t{0}) throw std::invalid_argument("rows times classes must be below 2^32");
  std::vector<std::uint32_t> order(rows);
  for (std::size_t p = 0; p < rows; ++p) order[p] = static_cast<std::uint32_t>(p / classes);
  EncodedTable pairs = table;
  reorder_rows(table, order, pairs, pool);
  pairs.rows = rows;
  add_class_column(pairs, classes);
  return pairs;
}

}  // namespace hardwood
