// The words of tiles: a 64-bit word per row and tile.
//
// The tiles of a long and narrow table stand side by side, row by row, so that the lanes of a row lie in one or
// two cache lines: a node of few rows then asks less of the memory. Tiles of wide tables stand alone, since a
// search may look at few of them, and so do those that fit into a cache:
//
//   side by side   | row 0: tile 0 | row 0: tile 1 | row 1: tile 0 | row 1: tile 1 | ...
//   alone          | row 0: tile 0 | row 1: tile 0 | ...     | row 0: tile 1 | row 1: tile 1 | ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hardwood {

// One tile's words.
struct Words {
  const std::uint64_t* first = nullptr;
  std::size_t stride = 1;

  const std::uint64_t* at(std::size_t row) const { return first + stride * row; }
  std::uint64_t operator[](std::size_t row) const { return *at(row); }
};

class TileWords {
 public:
  // A cache line holds the words of so many tiles.
  static constexpr std::size_t most_side_by_side = 8;
  static constexpr std::size_t least_words = 1 << 20;

  TileWords() = default;
  TileWords(std::size_t rows, std::size_t tiles)
      : tiles_(tiles), stride_(tiles <= most_side_by_side && rows * tiles >= least_words ? tiles : 1) {
    blocks_.resize(side_by_side() ? 1 : tiles);
    for (auto& block : blocks_) block.assign(rows * stride_, 0);
  }

  std::size_t size() const { return tiles_; }
  // Where they are, whoever adds up a node goes through all tiles of some rows before the next ones.
  bool side_by_side() const { return stride_ > 1; }
  Words operator[](std::size_t tile) const {
    if (!side_by_side()) return {blocks_[tile].data()};
    if (tile < stride_) return {blocks_[0].data() + tile, stride_};
    return {blocks_[1 + tile - stride_].data()};
  }
  std::uint64_t& word(std::size_t tile, std::size_t row) {
    return const_cast<std::uint64_t&>(*(*this)[tile].at(row));
  }
  // A last tile that stands alone and need not have a word for each row.
  void append(std::vector<std::uint64_t> words) {
    blocks_.push_back(std::move(words));
    ++tiles_;
  }

 private:
  std::size_t tiles_ = 0, stride_ = 1;
  std::vector<std::vector<std::uint64_t>> blocks_;  // one of all tiles side by side, or one for each
};

}  // namespace hardwood
