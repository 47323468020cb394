#include "data/flags.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "data/encoded_table.hpp"

namespace hardwood {

namespace {

constexpr std::size_t most_flags = 1 << 16;
// What a flag spares at the nodes of a tree of 31 leaves is worth about as many updates: a6a takes 0.29 s where
// it took 0.46 (500 rounds), with 9.9 flags a row in place of 5 lanes.
constexpr std::uint64_t updates_a_column = 4000;
// Finding a row's list costs about as much as this many updates.
constexpr std::uint64_t updates_a_row = 3;

bool two_valued(const EncodedColumn& column) {
  return column.storage == Storage::bundle && column.values == 2 && !column.has_missing;
}

// A lane whose columns are all two-valued, and which of them have their rarer value at each of its codes.
struct FlaggedLane {
  std::uint32_t lane;
  std::uint64_t listed = 0;  // rarer values in all rows
  std::array<std::vector<std::uint16_t>, lane_codes> flags;
};

std::array<std::uint32_t, lane_codes> rows_by_code(const EncodedTable& table, std::uint32_t lane) {
  std::array<std::uint32_t, lane_codes> out{};
  const LaneView view = lane_view(table, lane);
  for (std::uint32_t r = 0; r < table.rows; ++r) ++out[view[r]];
  return out;
}

FlaggedLane flag_lane(const EncodedTable& table, std::uint32_t lane, Flags& flags) {
  FlaggedLane out{lane, 0, {}};
  const auto rows = rows_by_code(table, lane);
  for (std::uint32_t c : table.lanes[lane].columns) {
    const EncodedColumn& column = table.columns[c];
    std::uint64_t ones = 0;
    for (std::uint32_t k = 0; k < table.lanes[lane].codes; ++k) ones += column.digits[k] == 1 ? rows[k] : 0;
    const std::uint8_t rarer = 2 * ones <= table.rows ? 1 : 0;
    const auto flag = static_cast<std::uint16_t>(flags.columns.size());
    flags.columns.push_back(c);
    flags.rarer.push_back(rarer);
    out.listed += rarer == 1 ? ones : table.rows - ones;
    for (std::uint32_t k = 0; k < table.lanes[lane].codes; ++k)
      if (column.digits[k] == rarer) out.flags[k].push_back(flag);
  }
  return out;
}

}  // namespace

Flags list_flags(const EncodedTable& table) {
  Flags out;
  std::vector<FlaggedLane> lanes;
  std::uint64_t listed = 0;
  for (std::uint32_t l = 0; l < table.lanes.size(); ++l) {
    const std::vector<std::uint32_t>& columns = table.lanes[l].columns;
    const bool all = !columns.empty() && std::all_of(columns.begin(), columns.end(), [&](std::uint32_t c) {
      return two_valued(table.columns[c]);
    });
    if (!all || out.columns.size() + columns.size() > most_flags) continue;
    lanes.push_back(flag_lane(table, l, out));
    listed += lanes.back().listed;
  }
  if (lanes.empty() ||
      listed + updates_a_row * table.rows > lanes.size() * table.rows + updates_a_column * out.columns.size() ||
      listed >= (std::uint64_t{1} << 32))
    return {};
  out.flag_of.assign(table.columns.size(), Flags::no_flag);
  for (std::uint32_t f = 0; f < out.columns.size(); ++f) out.flag_of[out.columns[f]] = f;
  out.covers.assign(table.lanes.size(), 0);
  for (const FlaggedLane& each : lanes) out.covers[each.lane] = 1;
  out.list.reserve(listed);
  out.begin.reserve(table.rows + 1);
  std::vector<LaneView> views;
  for (const FlaggedLane& each : lanes) views.push_back(lane_view(table, each.lane));
  for (std::uint32_t r = 0; r < table.rows; ++r) {
    out.begin.push_back(static_cast<std::uint32_t>(out.list.size()));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const std::vector<std::uint16_t>& own = lanes[i].flags[views[i][r]];
      out.list.insert(out.list.end(), own.begin(), own.end());
    }
  }
  out.begin.push_back(static_cast<std::uint32_t>(out.list.size()));
  return out;
}

}  // namespace hardwood
