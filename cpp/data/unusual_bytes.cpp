#include "data/unusual_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace hardwood {

namespace {

constexpr std::size_t tiles_a_block = 12;
// With fewer tiles, finding a row's list costs as much as its words.
constexpr std::size_t least_tiles = 4;
constexpr std::size_t sampled_rows = 1 << 11;

struct SampledTile {
  std::array<std::uint8_t, tile_lanes> usual{};
  double unusual = 0;  // bytes a row
};

std::size_t stored_rows(const EncodedTable& table) {
  return table.rows / table.stored.pairs;
}

SampledTile sample(const EncodedTable& table, std::size_t tile) {
  SampledTile out;
  const Words words = table.tiles[tile];
  const std::size_t rows = stored_rows(table), step = std::max<std::size_t>(rows / sampled_rows, 1);
  const double count = static_cast<double>((rows + step - 1) / step);
  for (std::size_t k = 0; k < tile_lanes && tile * tile_lanes + k < table.lanes.size(); ++k) {
    std::array<std::uint32_t, lane_codes> often{};
    for (std::size_t row = 0; row < rows; row += step) ++often[(words[row] >> (8 * k)) & 0xff];
    const auto most = std::max_element(often.begin(), often.end());
    out.usual[k] = static_cast<std::uint8_t>(most - often.begin());
    out.unusual += 1 - *most / count;
  }
  return out;
}

// The highest bit of each byte that is not 0.
std::uint64_t bytes_set(std::uint64_t word) {
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
  return (((word & low) + low) | word) & ~low;
}

}  // namespace

const std::vector<ListedBlock>& UnusualBytes::blocks(const EncodedTable& table) {
  std::call_once(decided_, [&] {
    if (table.tiles.side_by_side() || table.flags.any()) return;
    std::vector<ListedBlock> blocks;
    std::size_t tiles = 0;
    for (std::size_t t = 0; t < table.class_tile(); ++t) {
      const SampledTile tile = sample(table, t);
      if (tile.unusual > tile_lanes / 2) continue;
      if (tiles++ % tiles_a_block == 0) blocks.emplace_back();
      ListedBlock& block = blocks.back();
      block.bytes_a_row += tile.unusual;
      for (std::size_t k = 0; k < tile_lanes && t * tile_lanes + k < table.lanes.size(); ++k) {
        const auto lane = static_cast<std::uint32_t>(t * tile_lanes + k);
        block.lanes.push_back({lane, block.places, table.lanes[lane].codes, tile.usual[k]});
        block.places += table.lanes[lane].places();
      }
    }
    constexpr std::size_t fours = tiles_a_block * tile_lanes / UnusualLists::together;
    if (stored_rows(table) >= ~std::uint32_t{0} / fours) return;
    if (tiles % tiles_a_block > 0 && tiles % tiles_a_block < least_tiles) blocks.pop_back();
    blocks_ = std::move(blocks);
  });
  return blocks_;
}

const UnusualLists& UnusualBytes::of(const EncodedTable& table, std::uint32_t number) {
  return made_.of(blocks_.size(), number, [&](UnusualLists& out) {
    struct Tile {
      Words words;
      std::uint64_t usual = 0;
      std::array<std::uint32_t, tile_lanes> place{};
    };
    std::vector<Tile> tiles;
    for (const ListedLane& lane : blocks_[number].lanes) {
      const std::uint32_t k = lane.lane % tile_lanes;
      if (k == 0) tiles.push_back({table.tiles[lane.lane / tile_lanes]});
      tiles.back().usual |= std::uint64_t{lane.usual} << (8 * k);
      tiles.back().place[k] = lane.place;
    }
    std::vector<std::uint16_t> fillers;
    for (const ListedLane& lane : blocks_[number].lanes)
      if (lane.codes > 0) fillers.push_back(static_cast<std::uint16_t>(lane.place + lane.usual));
    std::size_t filled = 0;
    const std::size_t rows = stored_rows(table);
    out.begin.reserve(rows + 1);
    out.begin.push_back(0);
    std::array<std::uint16_t, tiles_a_block * tile_lanes + UnusualLists::together> own;
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t count = 0;
      for (const Tile& tile : tiles) {
        const std::uint64_t word = tile.words[row];
        for (std::uint64_t set = bytes_set(word ^ tile.usual); set != 0; set &= set - 1) {
          const int k = std::countr_zero(set) / 8;
          own[count++] = static_cast<std::uint16_t>(tile.place[k] + ((word >> (8 * k)) & 0xff));
        }
      }
      while (count % UnusualLists::together != 0) own[count++] = fillers[filled++ % fillers.size()];
      out.list.insert(out.list.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(count));
      out.begin.push_back(static_cast<std::uint32_t>(out.list.size() / UnusualLists::together));
    }
  });
}

}  // namespace hardwood
