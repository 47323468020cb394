#include "histogram/histogram.hpp"

#include <algorithm>
#include <type_traits>

#include "histogram/histogram_kernels.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t shared_rows = 1 << 15;  // nodes with fewer rows are built by one thread

}  // namespace

HistogramLayout::HistogramLayout(const EncodedTable& table, int classes, bool count_examples) {
  for (const Lane& lane : table.lanes) {
    offset.push_back(total);
    total += (lane.codes + 15) / 16 * 16;
  }
  channels = classes + (count_examples ? 1 : 0);
}

template <class Cell>
std::vector<int> HistogramBuilder<Cell>::channels(const NodeRows& node) const {
  std::vector<int> out;
  for (const ClassRows& part : node.classes) out.push_back(part.label);
  if (problem_.examples) out.push_back(problem_.classes);
  return out;
}

template <class Cell>
typename HistogramBuilder<Cell>::Buffer HistogramBuilder<Cell>::borrow() {
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      Buffer buffer = std::move(free_.back());
      free_.pop_back();
      return buffer;
    }
  }
  return Buffer(new Cell[layout_.channels * layout_.total]);
}

template <class Cell>
typename HistogramBuilder<Cell>::Buffer HistogramBuilder<Cell>::acquire(const NodeRows& node) {
  Buffer buffer = borrow();
  for (int channel : channels(node))
    std::fill_n(buffer.get() + channel * layout_.total, layout_.total, Cell{0});
  return buffer;
}

template <class Cell>
void HistogramBuilder<Cell>::release(Buffer buffer) {
  if (!buffer) return;
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffer));
}

// Adds the `part`-th of `parts` equal shares of the node's rows to one tile's cells.
template <class Cell>
void HistogramBuilder<Cell>::add(const NodeRows& node, const RowArrays& arrays, std::size_t tile,
                                 std::size_t part, std::size_t parts, Cell* cells) const {
  const EncodedTable& table = *problem_.table;
  const HistogramKernels& kernels = histogram_kernels();
  const std::size_t first = tile * tile_lanes;
  const int lanes = static_cast<int>(std::min<std::size_t>(tile_lanes, table.lanes.size() - first));
  const std::uint64_t* words = table.tiles[tile].data();
  for (const ClassRows& piece : node.classes) {
    const std::size_t size = piece.end - piece.begin;
    const std::size_t begin = size * part / parts, end = size * (part + 1) / parts;
    const RowSpan span{arrays.rows + piece.begin + begin, end - begin};
    const auto lane_cells = [&](int channel, Cell** out) {
      for (int k = 0; k < lanes; ++k) out[k] = cells + channel * layout_.total + layout_.offset[first + k];
    };
    Cell* own[tile_lanes];
    lane_cells(piece.label, own);
    if constexpr (std::is_same_v<Cell, std::uint32_t>) {
      kernels.add_counts(words, span, lanes, own);
    } else {
      if (arrays.weights) kernels.add_carried(words, span, arrays.weights + piece.begin + begin, lanes, own);
      else kernels.add_weights(words, span, problem_.weights, lanes, own);
      if (problem_.examples) {
        lane_cells(problem_.classes, own);
        kernels.add_weights(words, span, problem_.examples, lanes, own);
      }
    }
  }
}

template <class Cell>
typename HistogramBuilder<Cell>::Buffer HistogramBuilder<Cell>::build(const NodeRows& node,
                                                                      const RowArrays& arrays, Pool& pool) {
  const std::size_t tiles = problem_.table->tiles.size();
  const auto threads = static_cast<std::size_t>(pool.size());
  Buffer out = acquire(node);
  if (threads == 1 || node.size() < shared_rows) {
    for (std::size_t t = 0; t < tiles; ++t) add(node, arrays, t, 0, 1, out.get());
  } else if (tiles >= 2 * threads) {
    pool.parallel_for(tiles, [&](std::size_t t) { add(node, arrays, t, 0, 1, out.get()); });
  } else {
    std::vector<Buffer> partial(threads);
    pool.parallel_for(threads, [&](std::size_t part) {
      if (part > 0) partial[part] = acquire(node);
      Cell* cells = part > 0 ? partial[part].get() : out.get();
      for (std::size_t t = 0; t < tiles; ++t) add(node, arrays, t, part, threads, cells);
    });
    for (std::size_t part = 1; part < threads; ++part) {
      for (int channel : channels(node)) {
        Cell* to = out.get() + channel * layout_.total;
        const Cell* from = partial[part].get() + channel * layout_.total;
        for (std::size_t i = 0; i < layout_.total; ++i) to[i] += from[i];
      }
      release(std::move(partial[part]));
    }
  }
  return out;
}

template <class Cell>
void HistogramBuilder<Cell>::subtract(const NodeRows& child, const Cell* child_cells, Cell* cells) const {
  for (int channel : channels(child)) {
    Cell* to = cells + channel * layout_.total;
    const Cell* from = child_cells + channel * layout_.total;
    for (std::size_t i = 0; i < layout_.total; ++i) to[i] -= from[i];
  }
}

template <class Cell>
bool HistogramBuilder<Cell>::worth_keeping(const NodeRows& node) const {
  return node.size() * problem_.table->lanes.size() > layout_.total * node.classes.size();
}

template class HistogramBuilder<std::uint32_t>;
template class HistogramBuilder<std::int64_t>;

}  // namespace hardwood
