#include "data/pair_table.hpp"

#include <stdexcept>

namespace hardwood {

namespace {

EncodedColumn class_column(std::uint32_t classes, std::uint32_t lane) {
  EncodedColumn column;
  column.storage = Storage::lane;
  column.whole = true;
  column.values = classes;
  for (std::uint32_t c = 0; c < classes; ++c) column.codebook.push_back(c);
  column.lane = lane;
  return column;
}

}  // namespace

void make_pairs(EncodedTable& table, int classes) {
  const auto count = static_cast<std::uint32_t>(classes);
  if (table.paired() && table.stored.pairs == count) return;
  if (table.paired() || classes < 2 || count > lane_codes)
    throw std::invalid_argument("pairs need 2 to 256 classes, always the same");
  if (table.rows > ~std::uint32_t{0} / count) throw std::invalid_argument("there must be less than 2^32 pairs");
  table.flags = {};
  table.rows *= count;
  table.stored = {count, ~std::uint64_t{0} / count + 1};
  table.lanes.resize(table.tiles.size() * tile_lanes);  // lanes without columns fill the last tile
  std::vector<std::uint64_t>& words = table.tiles.emplace_back();
  for (std::uint32_t c = 0; c < count; ++c) words.push_back(c);
  const auto lane = static_cast<std::uint32_t>(table.lanes.size());
  table.lanes.push_back({count, {static_cast<std::uint32_t>(table.columns.size())}});
  table.columns.push_back(class_column(count, lane));
}

}  // namespace hardwood
