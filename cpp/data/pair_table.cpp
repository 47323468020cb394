#include "data/pair_table.hpp"

#include <numeric>
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

void check_pairs(std::size_t rows, int classes) {
  if (classes < 2 || static_cast<std::uint32_t>(classes) > lane_codes)
    throw std::invalid_argument("pairs need 2 to 256 classes");
  if (rows > ~std::uint32_t{0} / static_cast<std::uint32_t>(classes))
    throw std::invalid_argument("there must be less than 2^32 pairs");
}

void make_pairs(EncodedTable& table, int classes) {
  const auto count = static_cast<std::uint32_t>(classes);
  if (table.paired() && table.stored.pairs == count) return;
  if (table.paired()) throw std::invalid_argument("a table has the pairs of one number of classes");
  check_pairs(table.rows, classes);
  table.flags = {};
  table.aids = no_search_aids();
  table.rows *= count;
  table.stored = StoredRow::of_pairs(count);
  table.lanes.resize(table.tiles.size() * tile_lanes);  // lanes without columns fill the last tile
  std::vector<std::uint64_t> words(count);
  std::iota(words.begin(), words.end(), std::uint64_t{0});
  table.tiles.append(std::move(words));
  const auto lane = static_cast<std::uint32_t>(table.lanes.size());
  table.lanes.push_back({count, {static_cast<std::uint32_t>(table.columns.size())}});
  table.columns.push_back(class_column(count, lane));
}

MergedPairs merge_pairs(const NodeRows& node, const std::uint32_t* pairs, StoredRow stored,
                        const std::int64_t* weights, const std::int64_t* examples) {
  MergedPairs out;
  for (const ClassRows& piece : node.classes) {
    const auto begin = static_cast<std::uint32_t>(out.rows.size());
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      const std::uint32_t row = stored(pairs[i]);
      if (out.rows.size() == begin || out.rows.back() != row) {
        out.rows.push_back(row);
        out.weights.push_back(0);
        if (examples) out.examples.push_back(0);
      }
      out.weights.back() += weights ? weights[pairs[i]] : 1;
      if (examples) out.examples.back() += examples[pairs[i]];
    }
    out.by_class.end = static_cast<std::uint32_t>(out.rows.size());
    out.by_class.classes.push_back({piece.label, begin, out.by_class.end});
  }
  return out;
}

}  // namespace hardwood
