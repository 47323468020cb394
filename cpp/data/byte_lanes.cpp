#include "data/byte_lanes.hpp"

namespace hardwood {

RowBytes ByteLanes::of(const EncodedTable& table, std::uint32_t lane, std::size_t node_rows) {
  const LaneView view = lane_view(table, lane);
  const RowBytes words{view.words, view.shift, nullptr};
  if (!table.tiles.side_by_side() || table.paired()) return words;
  const std::vector<std::uint8_t>* made = made_.already(lane);
  if (!made && 2 * node_rows < table.rows) return words;
  if (!made)
    made = &made_.of(table.lanes.size(), lane, [&](std::vector<std::uint8_t>& out) {
      out.resize(table.rows);
      for (std::size_t row = 0; row < table.rows; ++row)
        out[row] = static_cast<std::uint8_t>(view.words[row] >> view.shift);
    });
  return {{}, 0, made->data()};
}

}  // namespace hardwood
