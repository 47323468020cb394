#include "distributed/item_histograms.hpp"

#include <algorithm>

namespace hardwood {

namespace {

constexpr std::size_t few_share = 4;  // few rows: their values would fill less than a fourth of the cells

// Calls add(cell, value) item by item.
template <class Add>
void add_items(const PartTable& table, const TablePlan& plan, const NodeItems& items, int classes, Add add) {
  for (std::size_t l = 0; l < table.lanes.size(); ++l) {
    const LaneView lane{{table.tiles[l / tile_lanes]}, static_cast<int>(l % tile_lanes) * 8};
    items.each([&](std::uint32_t i, std::int32_t label) {
      const std::uint32_t code = lane[items.rows[i]];
      for (std::uint32_t c : table.lanes[l].columns) {
        const PartColumn& column = table.columns[c];
        const std::size_t cell =
            plan.offset[c] + (column.storage == Storage::bundle ? column.digits[code] : code);
        add(label * plan.total + cell, items.weight(i));
        if (items.examples) add(classes * plan.total + cell, items.count(i));
      }
    });
  }
}

}  // namespace

bool few_items(std::size_t items, std::size_t columns, std::size_t cells) {
  return items * columns * few_share < cells;
}

void add_few(const PartTable& table, const TablePlan& plan, const NodeItems& items, int classes,
             std::vector<std::int64_t>& scratch, HistogramBatch& out) {
  std::vector<std::uint32_t> places;
  add_items(table, plan, items, classes, [&](std::size_t place, std::int64_t value) {
    if (value && !scratch[place]) places.push_back(static_cast<std::uint32_t>(place));
    scratch[place] += value;
  });
  std::sort(places.begin(), places.end());
  std::vector<std::int64_t> values;
  values.reserve(places.size());
  for (std::uint32_t place : places) {
    values.push_back(scratch[place]);
    scratch[place] = 0;
  }
  out.add(std::move(places), std::move(values));
}

void add_many(const PartTable& table, const TablePlan& plan, const NodeItems& items, int classes,
              std::vector<std::int64_t>& scratch, HistogramBatch& out) {
  add_items(table, plan, items, classes,
            [&](std::size_t place, std::int64_t value) { scratch[place] += value; });
  out.add(scratch);
  std::fill(scratch.begin(), scratch.end(), 0);
}

}  // namespace hardwood
