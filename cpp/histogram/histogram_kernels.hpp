// The innermost loops over rows: class weights per lane code.
//
// Rows of one class at a time (a node keeps its rows ordered by class), so that a histogram is an
// array of cells per class and an update needs no label.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/tile_words.hpp"
#include "data/unusual_bytes.hpp"

namespace hardwood {

// Rows of one class within a node.
struct RowSpan {
  const std::uint32_t* rows;
  std::size_t count;
};

// Lanes of one tile that are summed in one pass, each with its cells.
template <class Cell>
struct TileLanes {
  int count = 0;
  int shift[8];  // of the lane's byte within the tile's words
  Cell* cells[8];

  void add(std::size_t lane_in_tile, Cell* own) {
    shift[count] = static_cast<int>(lane_in_tile) * 8;
    cells[count++] = own;
  }
};

// UnusualLists as pointers.
struct ListsView {
  const std::uint32_t* begin;
  const std::uint16_t* list;
};

struct HistogramKernels {
  // cells[k][code of lane k] += 1 for every row.
  void (*add_counts)(const Words& words, RowSpan rows, const TileLanes<std::uint32_t>& lanes);
  // The same with the rows' weights.
  void (*add_weights)(const Words& words, RowSpan rows, const std::int64_t* weights,
                      const TileLanes<std::int64_t>& lanes);
  // The same with weights[i] that of rows[i].
  void (*add_carried)(const Words& words, RowSpan rows, const std::int64_t* weights,
                      const TileLanes<std::int64_t>& lanes);
  // cells[place] += weight for each place in the rows' lists (data/unusual_bytes.hpp).
  void (*add_listed_counts)(const ListsView& lists, RowSpan rows, std::uint32_t* cells);
  void (*add_listed_weights)(const ListsView& lists, RowSpan rows, const std::int64_t* weights,
                             std::int64_t* cells);
  void (*add_listed_carried)(const ListsView& lists, RowSpan rows, const std::int64_t* weights,
                             std::int64_t* cells);
  // What the other codes of each lane leave of the total goes to its usual code.
  void (*usual_counts)(const ListedLane* lanes, std::size_t count, std::uint32_t total, std::uint32_t* cells);
  void (*usual_weights)(const ListedLane* lanes, std::size_t count, std::int64_t total, std::int64_t* cells);
  // For each channel: out[channel][d] = sum of cells[channel][k] over lane codes k whose digit is d.
  void (*marginal_counts)(const std::uint32_t* const* cells, int channels, const std::uint8_t* digits,
                          int codes, int digit_count, std::uint32_t* const* out);
  void (*marginal_weights)(const std::int64_t* const* cells, int channels, const std::uint8_t* digits,
                           int codes, int digit_count, std::int64_t* const* out);
};

const HistogramKernels& histogram_kernels();

}  // namespace hardwood
