#include "histogram/histogram.hpp"

#include <algorithm>
#include <type_traits>

#include "data/pair_table.hpp"
#include "histogram/histogram_kernels.hpp"

namespace hardwood {

namespace {

// Histograms of fewer updates, and differences of fewer cells, are left to one thread.
constexpr double shared_updates = 1 << 16;
constexpr std::size_t shared_cells = 1 << 16;

}  // namespace

HistogramLayout::HistogramLayout(const EncodedTable& table, int channel_count, const std::vector<char>* allowed,
                                 bool use_flags)
    : channels(channel_count) {
  const auto may_split = [&](std::uint32_t c) { return !allowed || (*allowed)[c]; };
  for (std::size_t l = 0; l < table.lanes.size(); ++l) {
    const Lane& lane = table.lanes[l];
    const bool needed = std::any_of(lane.columns.begin(), lane.columns.end(), may_split) &&
                        !(use_flags && table.flags.any() && table.flags.covers[l]);
    offset.push_back(needed ? total : absent);
    if (!needed) continue;
    ++lanes;
    if (tiles.empty() || tiles.back() != l / tile_lanes) tiles.push_back(l / tile_lanes);
    total += (lane.codes + 15) / 16 * 16;
  }
  updates = static_cast<double>(lanes);
  if (!use_flags || !table.flags.any()) return;
  flags = table.flags.columns.size();
  flag_offset = total;
  total += (flags + 15) / 16 * 16;
  updates += static_cast<double>(table.flags.list.size()) / static_cast<double>(table.rows);
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
  return Buffer(new Cell[buffer_size_]);
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

// Adds the `part`-th of `parts` equal shares of the rows to one tile's cells.
template <class Cell>
void HistogramBuilder<Cell>::add(const Addends& addends, std::size_t tile, std::size_t part, std::size_t parts,
                                 Cell* cells) const {
  const EncodedTable& table = *problem_.table;
  const HistogramKernels& kernels = histogram_kernels();
  const std::size_t first = tile * tile_lanes,
                    last = std::min<std::size_t>(first + tile_lanes, table.lanes.size());
  const std::uint64_t* words = table.tiles[tile].data();
  for (const ClassRows& piece : addends.node.classes) {
    const std::size_t size = piece.end - piece.begin;
    const std::size_t begin = size * part / parts, end = size * (part + 1) / parts;
    const RowSpan span{addends.rows + piece.begin + begin, end - begin};
    const auto lanes = [&](int channel) {
      TileLanes<Cell> out;
      for (std::size_t l = first; l < last; ++l)
        if (layout_.has(l)) out.add(l - first, cells + channel * layout_.total + layout_.offset[l]);
      return out;
    };
    const std::optional<std::uint64_t>& usual = table.usual[tile];
    const auto add_usual = [&](const TileLanes<Cell>& to, Cell weight) {
      for (int k = 0; k < to.count; ++k) to.cells[k][(*usual >> to.shift[k]) & 0xff] += weight;
    };
    if constexpr (std::is_same_v<Cell, std::uint32_t>) {
      const auto to = lanes(piece.label);
      if (usual) add_usual(to, kernels.add_unusual_counts(words, *usual, span, to));
      else kernels.add_counts(words, span, to);
    } else {
      const auto add_channel = [&](const std::int64_t* carried, const std::int64_t* by_row, int channel) {
        const auto to = lanes(channel);
        if (carried && usual)
          add_usual(to, kernels.add_unusual(words, *usual, span, carried + piece.begin + begin, to));
        else if (carried) kernels.add_carried(words, span, carried + piece.begin + begin, to);
        else kernels.add_weights(words, span, by_row, to);
      };
      add_channel(addends.weights, problem_.weights, piece.label);
      if (problem_.examples) add_channel(addends.examples, problem_.examples, problem_.classes);
    }
  }
}

template <class Cell>
void HistogramBuilder<Cell>::add_flags(const Addends& addends, std::size_t part, std::size_t parts,
                                       Cell* cells) const {
  if (layout_.flags == 0) return;
  const Flags& flags = problem_.table->flags;
  for (const ClassRows& piece : addends.node.classes) {
    const std::size_t size = piece.end - piece.begin;
    Cell* const own = cells + piece.label * layout_.total + layout_.flag_offset;
    for (std::size_t i = piece.begin + size * part / parts; i < piece.begin + size * (part + 1) / parts; ++i) {
      const std::uint32_t row = addends.rows[i];
      const auto weight = static_cast<Cell>(addends.weights ? addends.weights[i] : problem_.weight(row));
      for (std::uint16_t flag : flags.of(row)) own[flag] += weight;
    }
  }
}

template <class Cell>
void HistogramBuilder<Cell>::add_all(const Addends& addends, const std::vector<std::size_t>& tiles, Pool& pool,
                                     Buffer& out) {
  const auto threads = static_cast<std::size_t>(pool.size());
  if (threads == 1 || addends.node.size() * layout_.updates < shared_updates) {
    for (std::size_t tile : tiles) add(addends, tile, 0, 1, out.get());
    add_flags(addends, 0, 1, out.get());
  } else if (tiles.size() >= 2 * threads) {
    pool.parallel_for(tiles.size() + 1, [&](std::size_t t) {
      if (t == 0) add_flags(addends, 0, 1, out.get());
      else add(addends, tiles[t - 1], 0, 1, out.get());
    });
  } else {
    std::vector<Buffer> partial(threads);
    pool.parallel_for(threads, [&](std::size_t part) {
      if (part > 0) partial[part] = acquire(addends.node);
      Cell* cells = part > 0 ? partial[part].get() : out.get();
      for (std::size_t tile : tiles) add(addends, tile, part, threads, cells);
      add_flags(addends, part, threads, cells);
    });
    for (std::size_t part = 1; part < threads; ++part) {
      for (int channel : channels(addends.node)) {
        Cell* to = out.get() + channel * layout_.total;
        const Cell* from = partial[part].get() + channel * layout_.total;
        for (std::size_t i = 0; i < layout_.total; ++i) to[i] += from[i];
      }
      release(std::move(partial[part]));
    }
  }
}

// The class column, pair by pair.
template <class Cell>
void HistogramBuilder<Cell>::add_classes(const NodeRows& node, const std::uint32_t* rows, Cell* cells) const {
  const EncodedTable& table = *problem_.table;
  const std::size_t lane = table.class_tile() * tile_lanes;
  if (!layout_.has(lane)) return;
  Cell* const own = cells + layout_.offset[lane];
  for (const ClassRows& piece : node.classes)
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      Cell* const cell = own + table.stored.class_of(rows[i]);
      cell[piece.label * layout_.total] += static_cast<Cell>(problem_.weight(rows[i]));
      if (problem_.examples)
        cell[problem_.classes * layout_.total] += static_cast<Cell>(problem_.examples[rows[i]]);
    }
}

template <class Cell>
void HistogramBuilder<Cell>::build_pairs(const NodeRows& node, const RowArrays& arrays, Pool& pool,
                                         Buffer& out) {
  const EncodedTable& table = *problem_.table;
  const MergedPairs merged = merge_pairs(node, arrays.rows, table.stored, problem_.weights, problem_.examples);
  std::vector<std::size_t> tiles = layout_.tiles;
  if (!tiles.empty() && tiles.back() == table.class_tile()) tiles.pop_back();
  const std::int64_t* examples = problem_.examples ? merged.examples.data() : nullptr;
  add_all({merged.by_class, merged.rows.data(), merged.weights.data(), examples}, tiles, pool, out);
  add_classes(node, arrays.rows, out.get());
}

template <class Cell>
typename HistogramBuilder<Cell>::Buffer HistogramBuilder<Cell>::build(const NodeRows& node,
                                                                      const RowArrays& arrays, Pool& pool) {
  Buffer out = acquire(node);
  if (problem_.table->paired()) build_pairs(node, arrays, pool, out);
  else add_all({node, arrays.rows, arrays.weights, nullptr}, layout_.tiles, pool, out);
  return out;
}

template <class Cell>
void HistogramBuilder<Cell>::subtract(const NodeRows& child, const Cell* child_cells, Cell* cells,
                                      Pool& pool) const {
  const auto tasks = static_cast<std::size_t>(layout_.total < shared_cells ? 1 : pool.size());
  for (int channel : channels(child)) {
    Cell* to = cells + channel * layout_.total;
    const Cell* from = child_cells + channel * layout_.total;
    pool.parallel_for(tasks, [&](std::size_t t) {
      const std::size_t end = layout_.total * (t + 1) / tasks;
      for (std::size_t i = layout_.total * t / tasks; i < end; ++i) to[i] -= from[i];
    });
  }
}

template <class Cell>
bool HistogramBuilder<Cell>::worth_keeping(const NodeRows& node) const {
  return node.size() * layout_.updates > static_cast<double>(layout_.total * node.classes.size());
}

template class HistogramBuilder<std::uint32_t>;
template class HistogramBuilder<std::int64_t>;

}  // namespace hardwood
