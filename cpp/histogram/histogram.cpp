#include "histogram/histogram.hpp"

#include <algorithm>
#include <type_traits>

#include "data/pair_table.hpp"
#include "data/search_aids.hpp"
#include "histogram/histogram_kernels.hpp"

namespace hardwood {

namespace {

// Histograms of fewer updates, and differences of fewer cells, are left to one thread.
constexpr double shared_updates = 1 << 16;
constexpr std::size_t shared_cells = 1 << 16;
// With fewer updates than so many for each cell, a thread's own sums cost more than they spare.
constexpr double updates_a_cell = 16;
// Where tiles stand side by side, all tiles of so many rows are summed before the next ones: their words stay
// in the second-level cache.
constexpr std::uint32_t rows_a_block = 1 << 11;

}  // namespace

HistogramLayout::HistogramLayout(const EncodedTable& table, int channel_count, const std::vector<char>* allowed,
                                 bool use_lists, bool use_flags)
    : offset(table.lanes.size(), absent), channels(channel_count) {
  const auto may_split = [&](std::uint32_t c) { return !allowed || (*allowed)[c]; };
  const auto needed = [&](std::size_t l) {
    const Lane& lane = table.lanes[l];
    return std::any_of(lane.columns.begin(), lane.columns.end(), may_split) &&
           !(use_flags && table.flags.any() && table.flags.covers[l]);
  };
  if (use_lists) lay_blocks(table, needed);
  for (std::size_t l = 0; l < table.lanes.size(); ++l) {
    if (has(l) || !needed(l)) continue;
    offset[l] = total;
    ++lanes;
    if (tiles.empty() || tiles.back() != l / tile_lanes) tiles.push_back(l / tile_lanes);
    total += table.lanes[l].places();
  }
  updates += static_cast<double>(lanes);
  if (!use_flags || !table.flags.any()) return;
  flags = table.flags.columns.size();
  flag_offset = total;
  total += (flags + 15) / 16 * 16;
  updates += static_cast<double>(table.flags.list.size()) / static_cast<double>(table.rows);
}

// Lists are of all lanes of a block: they pay where most are needed.
template <class Needed>
void HistogramLayout::lay_blocks(const EncodedTable& table, Needed needed) {
  const std::vector<ListedBlock>& listed = table.aids->unusual.blocks(table);
  for (std::uint32_t number = 0; number < listed.size(); ++number) {
    const ListedBlock& block = listed[number];
    const auto wanted = std::count_if(block.lanes.begin(), block.lanes.end(),
                                      [&](const ListedLane& each) { return needed(each.lane); });
    if (2 * static_cast<std::size_t>(wanted) < block.lanes.size()) continue;
    for (const ListedLane& each : block.lanes) offset[each.lane] = total + each.place;
    blocks.push_back({number, &block, total});
    total += block.places;
    updates += block.bytes_a_row;
  }
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

// Adds rows of one class to one tile's cells.
template <class Cell>
void HistogramBuilder<Cell>::add(const Addends& addends, const ClassRows& run, std::size_t tile,
                                 Cell* cells) const {
  const EncodedTable& table = *problem_.table;
  const HistogramKernels& kernels = histogram_kernels();
  const std::size_t first = tile * tile_lanes,
                    last = std::min<std::size_t>(first + tile_lanes, table.lanes.size());
  const Words words = table.tiles[tile];
  const RowSpan span{addends.rows + run.begin, run.end - run.begin};
  const auto lanes = [&](int channel) {
    TileLanes<Cell> out;
    for (std::size_t l = first; l < last; ++l)
      if (layout_.has(l)) out.add(l - first, cells + channel * layout_.total + layout_.offset[l]);
    return out;
  };
  if constexpr (std::is_same_v<Cell, std::uint32_t>) {
    kernels.add_counts(words, span, lanes(run.label));
  } else {
    const auto add_channel = [&](const std::int64_t* carried, const std::int64_t* by_row, int channel) {
      if (carried) kernels.add_carried(words, span, carried + run.begin, lanes(channel));
      else kernels.add_weights(words, span, by_row, lanes(channel));
    };
    add_channel(addends.weights, problem_.weights, run.label);
    if (problem_.examples) add_channel(addends.examples, problem_.examples, problem_.classes);
  }
}

template <class Cell>
void HistogramBuilder<Cell>::add_flags(const Addends& addends, const ClassRows& run, Cell* cells) const {
  if (layout_.flags == 0) return;
  const Flags& flags = problem_.table->flags;
  Cell* const own = cells + run.label * layout_.total + layout_.flag_offset;
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const std::uint32_t row = addends.rows[i];
    const auto weight = static_cast<Cell>(addends.weights ? addends.weights[i] : problem_.weight(row));
    for (std::uint16_t flag : flags.of(row)) own[flag] += weight;
  }
}

template <class Cell>
std::vector<std::int64_t> HistogramBuilder<Cell>::totals(const Addends& addends) const {
  std::vector<std::int64_t> out;
  std::int64_t examples = 0;
  for (const ClassRows& piece : addends.node.classes) {
    std::int64_t total = 0;
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      total += addends.weights ? addends.weights[i] : problem_.weight(addends.rows[i]);
      if (problem_.examples)
        examples += addends.examples ? addends.examples[i] : problem_.examples[addends.rows[i]];
    }
    out.push_back(total);
  }
  if (problem_.examples) out.push_back(examples);
  return out;
}

// Adds rows of one class to a block's cells; those of usual bytes are left for add_usual.
template <class Cell>
void HistogramBuilder<Cell>::add_listed(const Addends& addends, const ClassRows& run,
                                        const HistogramLayout::Block& block, Cell* cells) const {
  const UnusualLists& lists = problem_.table->aids->unusual.of(*problem_.table, block.number);
  const ListsView view{lists.begin.data(), lists.list.data()};
  const HistogramKernels& kernels = histogram_kernels();
  const RowSpan span{addends.rows + run.begin, run.end - run.begin};
  const auto own = [&](int channel) { return cells + channel * layout_.total + block.offset; };
  if constexpr (std::is_same_v<Cell, std::uint32_t>) {
    kernels.add_listed_counts(view, span, own(run.label));
  } else {
    const auto add_channel = [&](const std::int64_t* carried, const std::int64_t* by_row, int channel) {
      if (carried) kernels.add_listed_carried(view, span, carried + run.begin, own(channel));
      else kernels.add_listed_weights(view, span, by_row, own(channel));
    };
    add_channel(addends.weights, problem_.weights, run.label);
    if (problem_.examples) add_channel(addends.examples, problem_.examples, problem_.classes);
  }
}

// Once all rows are added.
template <class Cell>
void HistogramBuilder<Cell>::add_usual(const Addends& addends, const HistogramLayout::Block& block,
                                       Cell* cells) const {
  const HistogramKernels& kernels = histogram_kernels();
  const std::vector<ListedLane>& lanes = block.listed->lanes;
  std::size_t k = 0;
  for (int channel : channels(addends.node)) {
    Cell* const own = cells + channel * layout_.total + block.offset;
    const auto total = static_cast<Cell>(addends.total[k++]);
    if constexpr (std::is_same_v<Cell, std::uint32_t>)
      kernels.usual_counts(lanes.data(), lanes.size(), total, own);
    else kernels.usual_weights(lanes.data(), lanes.size(), total, own);
  }
}

// Adds the `part`-th of `parts` equal shares of the rows.
template <class Cell>
void HistogramBuilder<Cell>::add_rows(const Addends& addends, std::size_t part, std::size_t parts,
                                      Cell* cells) const {
  const bool side_by_side = problem_.table->tiles.side_by_side();
  for (const ClassRows& piece : addends.node.classes) {
    const std::size_t size = piece.end - piece.begin;
    const auto at = [&](std::size_t p) { return piece.begin + static_cast<std::uint32_t>(size * p / parts); };
    const std::uint32_t end = at(part + 1), step = side_by_side ? rows_a_block : piece.end - piece.begin;
    for (std::uint32_t begin = at(part); begin < end; begin += std::min(step, end - begin)) {
      const ClassRows run{piece.label, begin, begin + std::min(step, end - begin)};
      for (const auto& block : layout_.blocks) add_listed(addends, run, block, cells);
      for (std::size_t tile : addends.tiles) add(addends, run, tile, cells);
      add_flags(addends, run, cells);
    }
  }
}

// By one thread; by threads that have tiles of their own; or by threads that have rows and sums of their own.
template <class Cell>
void HistogramBuilder<Cell>::add_all(Addends addends, Pool& pool, Buffer& out) {
  const auto threads = static_cast<std::size_t>(pool.size());
  const double updates = addends.node.size() * layout_.updates;
  const std::size_t blocks = layout_.blocks.size(), alone = blocks + addends.tiles.size();
  const bool by_tiles = !problem_.table->tiles.side_by_side() && alone >= 2 * threads;
  const auto own_cells = static_cast<double>(layout_.total * layout_.channels);
  if (blocks > 0) addends.total = totals(addends);
  if (threads > 1 && updates >= shared_updates && by_tiles) {
    pool.parallel_for(alone + 1, [&](std::size_t t) {
      for (const ClassRows& piece : addends.node.classes) {
        if (t < blocks) add_listed(addends, piece, layout_.blocks[t], out.get());
        else if (t < alone) add(addends, piece, addends.tiles[t - blocks], out.get());
        else add_flags(addends, piece, out.get());
      }
      if (t < blocks) add_usual(addends, layout_.blocks[t], out.get());
    });
    return;
  }
  if (threads == 1 || updates < shared_updates || updates < updates_a_cell * own_cells) {
    add_rows(addends, 0, 1, out.get());
  } else {
    std::vector<Buffer> partial(threads);
    pool.parallel_for(threads, [&](std::size_t part) {
      if (part > 0) partial[part] = acquire(addends.node);
      add_rows(addends, part, threads, part > 0 ? partial[part].get() : out.get());
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
  for (const auto& block : layout_.blocks) add_usual(addends, block, out.get());
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
  add_all({merged.by_class, tiles, merged.rows.data(), merged.weights.data(), examples}, pool, out);
  add_classes(node, arrays.rows, out.get());
}

template <class Cell>
typename HistogramBuilder<Cell>::Buffer HistogramBuilder<Cell>::build(const NodeRows& node,
                                                                      const RowArrays& arrays, Pool& pool) {
  Buffer out = acquire(node);
  if (problem_.table->paired()) build_pairs(node, arrays, pool, out);
  else add_all({node, layout_.tiles, arrays.rows, arrays.weights, nullptr}, pool, out);
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
