#include "search/fractional/fractional_search.hpp"

#include <array>

#include "data/code_reader.hpp"
#include "search/fractional/known_branches.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t few_items = 256;      // nodes with fewer are sorted by code, without bounds
constexpr std::uint32_t shared_items = 4096;  // nodes with fewer are not shared out among threads

// A bucketed column whose buckets may have to be opened.
struct Unopened {
  std::uint32_t column;
  Groups groups;  // of buckets
  std::vector<double> bounds;
};

}  // namespace

struct FractionalSearch::Buffers {
  FractionalColumns columns;
  Groups groups;
  std::vector<Piece> pieces;
  std::vector<std::int64_t> cells, marginal;
  std::vector<Unopened> unopened;
};

// One node's search; tasks work on tiles or columns of their own.
class FractionalSearch::Node {
 public:
  Node(const Problem& problem, const Items& items, const NodeTotals& node, const std::vector<char>* allowed,
       const Poll& poll)
      : table_(*problem.table), items_(items), node_(node), allowed_(allowed), poll_(poll),
        channels_(node.classes + (items.examples.empty() ? 0 : 1)) {}

  // A tile's columns at the resolution of their lanes.
  void try_tile(std::uint32_t tile, Buffers& task);
  void try_entries(Buffers& task);
  // A column's groups, every present value one, from its pieces in order.
  void group_all(std::uint32_t c, Buffers& task);
  // Cuts within the buckets that could win.
  void open(const Unopened& column, Buffers& task);

 private:
  void fill_cells(std::uint32_t tile, std::uint32_t lanes, Buffers& task);
  void try_lane(const Lane& lane, const std::int64_t* cells, Buffers& task);
  void try_lane_column(std::uint32_t c, const std::int64_t* cells, std::uint32_t codes, Buffers& task);
  void try_groups(std::uint32_t c, const Groups& groups, Buffers& task);
  template <class CutOf>
  void try_cuts(std::uint32_t c, const Groups& groups, Buffers& task, CutOf cut_of) {
    task.columns.try_cuts(groups, node_, c, cut_of, [&](std::size_t i, std::uint64_t cut, Split& split) {
      split.set_cut(cut, groups.code[i], groups.code[i + 1]);
    });
  }
  void try_few(std::uint32_t c, Buffers& task);
  bool may_use(std::uint32_t c) const { return !allowed_ || (*allowed_)[c]; }
  bool may_win(double bound, double best) const {
    // Beyond what rounding can explain; entropies are good to a fraction of the node's weight.
    return bound <= best * prune_margin + node_.weight * 0x1p-40 + 2 * node_.classes;
  }
  // Calls body(item, channel) for all items.
  template <class Body>
  void for_items(Body body) const {
    int channel = 0;
    for (const ClassRows& piece : items_.by_class.classes) {
      for (std::uint32_t i = piece.begin; i < piece.end; ++i) body(i, channel);
      ++channel;
    }
  }
  Piece piece(std::uint32_t code, int channel, std::uint32_t i) const {
    return {code, channel, items_.weight[i], items_.examples.empty() ? 0 : items_.examples[i]};
  }

  const EncodedTable& table_;
  const Items& items_;
  const NodeTotals& node_;
  const std::vector<char>* allowed_;
  const Poll& poll_;
  const int channels_;
};

void FractionalSearch::Node::try_groups(std::uint32_t c, const Groups& groups, Buffers& task) {
  const EncodedColumn& column = table_.columns[c];
  if (column.kind == ColumnKind::category) task.columns.try_subsets(groups, node_, c);
  else try_cuts(c, groups, task, [&](std::size_t i) { return groups.code[i]; });
}

// cells[(lane * channels + channel) * lane_codes + code] of a tile's lanes.
void FractionalSearch::Node::fill_cells(std::uint32_t tile, std::uint32_t lanes, Buffers& task) {
  const std::size_t lane_size = static_cast<std::size_t>(channels_) * lane_codes;
  task.cells.assign(lanes * lane_size, 0);
  const Words words = table_.tiles[tile];
  int channel = 0;
  for (const ClassRows& piece : items_.by_class.classes) {
    poll_();
    std::int64_t* own = task.cells.data() + static_cast<std::size_t>(channel++) * lane_codes;
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      const std::int64_t weight = items_.weight[i];
      std::uint64_t word = words[items_.row[i]];
      for (std::uint32_t k = 0; k < lanes; ++k, word >>= 8) own[k * lane_size + (word & 0xff)] += weight;
    }
  }
  if (items_.examples.empty()) return;
  std::int64_t* own = task.cells.data() + static_cast<std::size_t>(node_.classes) * lane_codes;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    std::uint64_t word = words[items_.row[i]];
    for (std::uint32_t k = 0; k < lanes; ++k, word >>= 8)
      own[k * lane_size + (word & 0xff)] += items_.examples[i];
  }
}

// From cells[channel * lane_codes + code].
void FractionalSearch::Node::try_lane_column(std::uint32_t c, const std::int64_t* cells, std::uint32_t codes,
                                             Buffers& task) {
  const EncodedColumn& column = table_.columns[c];
  std::vector<std::size_t> offsets;
  for (int k = 0; k < channels_; ++k) offsets.push_back(static_cast<std::size_t>(k) * lane_codes);
  const std::uint32_t missing = column.has_missing ? column.missing_lane_code() : none;
  fill_groups(task.groups, cells, offsets, codes, missing);
  if (!column.bucketed()) return try_groups(c, task.groups, task);
  if (task.groups.count == 0) return;
  try_cuts(c, task.groups, task,
           [&](std::size_t i) { return column.bucket_start[task.groups.code[i] + 1] - 1; });
  task.unopened.push_back({c, task.groups, task.columns.bounds()});
}

void FractionalSearch::Node::try_lane(const Lane& lane, const std::int64_t* cells, Buffers& task) {
  for (std::uint32_t c : lane.columns) {
    if (!may_use(c)) continue;
    const EncodedColumn& column = table_.columns[c];
    if (column.storage != Storage::bundle) {
      try_lane_column(c, cells, lane.codes, task);
      continue;
    }
    task.marginal.assign(static_cast<std::size_t>(channels_) * lane_codes, 0);
    for (int k = 0; k < channels_; ++k)
      for (std::uint32_t code = 0; code < lane.codes; ++code)
        task.marginal[k * lane_codes + column.digits[code]] += cells[k * lane_codes + code];
    try_lane_column(c, task.marginal.data(), column.codes(), task);
  }
}

void FractionalSearch::Node::try_tile(std::uint32_t tile, Buffers& task) {
  const auto all = static_cast<std::uint32_t>(table_.lanes.size());
  const std::uint32_t first = tile * tile_lanes, lanes = std::min(tile_lanes, all - first);
  if (items_.size() < few_items) {
    for (std::uint32_t k = 0; k < lanes; ++k)
      for (std::uint32_t c : table_.lanes[first + k].columns)
        if (may_use(c)) try_few(c, task);
    return;
  }
  fill_cells(tile, lanes, task);
  for (std::uint32_t k = 0; k < lanes; ++k) {
    poll_();
    const std::size_t offset = static_cast<std::size_t>(k) * channels_ * lane_codes;
    try_lane(table_.lanes[first + k], task.cells.data() + offset, task);
  }
}

void FractionalSearch::Node::try_few(std::uint32_t c, Buffers& task) {
  group_all(c, task);
  try_groups(c, task.groups, task);
}

void FractionalSearch::Node::group_all(std::uint32_t c, Buffers& task) {
  group_items(table_, items_, c, node_, channels_, task.pieces, task.groups);
}

// Columns whose usual code is implicit: only those with another code at the node can be split on.
void FractionalSearch::Node::try_entries(Buffers& task) {
  if (table_.entry_columns.empty()) return;
  task.pieces.clear();
  for_items([&](std::uint32_t i, int channel) {
    for (std::uint32_t cell : table_.row_entries(items_.row[i])) task.pieces.push_back(piece(cell, channel, i));
  });
  poll_();
  sort_by_code(task.pieces);
  Piece* first = task.pieces.data();
  Piece* const end = first + task.pieces.size();
  for (std::uint32_t c : table_.entry_columns) {
    const EncodedColumn& column = table_.columns[c];
    Piece* last = first;
    for (; last != end && last->code < column.first_cell + column.codes(); ++last)
      last->code -= column.first_cell;
    if (last == first) continue;
    if (may_use(c)) {
      group_pieces(column, {first, last}, node_, channels_, task.groups);
      try_groups(c, task.groups, task);
    }
    first = last;
  }
}

void FractionalSearch::Node::open(const Unopened& unopened, Buffers& task) {
  const EncodedColumn& column = table_.columns[unopened.column];
  const Groups& groups = unopened.groups;
  std::array<char, lane_codes> wanted{};
  bool any = false;
  for (std::size_t i = 0; i < groups.count; ++i) {
    const std::uint32_t b = groups.code[i];
    const bool several = column.bucket_start[b + 1] - column.bucket_start[b] > 1;
    wanted[b] = several && may_win(unopened.bounds[i], task.columns.best.cost);
    any |= wanted[b];
  }
  if (!any) return;
  task.pieces.clear();
  const LaneView lane = lane_view(table_, column.lane);
  with_codes(table_, column, [&](auto code_of) {
    for_items([&](std::uint32_t i, int channel) {
      const std::uint32_t row = items_.row[i];
      if (wanted[lane[row]]) task.pieces.push_back(piece(code_of(row), channel, i));
    });
  });
  poll_();
  sort_by_code(task.pieces);
  const Piece* first = task.pieces.data();
  const Piece* const end = first + task.pieces.size();
  std::vector<double> start(channels_);
  for (std::size_t i = 0; i < groups.count; ++i) {
    const std::uint32_t b = groups.code[i];
    if (!wanted[b]) continue;
    const Piece* last = first;
    while (last != end && last->code < column.bucket_start[b + 1]) ++last;
    for (int c = 0; c < channels_; ++c) start[c] = groups.left[c * groups.stride + i];
    task.columns.try_inside(groups, node_, unopened.column, start.data(), first, last);
    first = last;
  }
}

FractionalSearch::FractionalSearch(const Problem& problem, Pool& pool, const Poll& poll)
    : problem_(problem), pool_(pool), poll_(poll) {}
FractionalSearch::~FractionalSearch() = default;

std::unique_ptr<FractionalSearch::Buffers> FractionalSearch::borrow() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<Buffers>();
  auto out = std::move(free_.back());
  free_.pop_back();
  return out;
}

void FractionalSearch::give_back(std::unique_ptr<Buffers> buffers) {
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffers));
}

// The tasks, and with them the work done, do not depend on the number of threads.
Split FractionalSearch::run(const Items& items, const NodeTotals& totals, const std::vector<char>* allowed,
                            bool& exact) {
  Node node(problem_, items, totals, allowed, poll_);
  Split best;
  std::vector<Unopened> unopened;
  std::mutex mutex;
  const auto run_tasks = [&](std::size_t count, const Split& start, auto body) {
    const auto task = [&](std::size_t t) {
      auto buffers = borrow();
      buffers->columns.best = start;
      buffers->columns.exact = true;
      buffers->unopened.clear();
      body(t, *buffers);
      {
        std::lock_guard lock(mutex);
        exact &= buffers->columns.exact;
        if (precedes(buffers->columns.best, best)) best = std::move(buffers->columns.best);
        for (Unopened& column : buffers->unopened) unopened.push_back(std::move(column));
      }
      give_back(std::move(buffers));
    };
    if (items.size() >= shared_items) return pool_.parallel_for(count, task);
    for (std::size_t t = 0; t < count; ++t) task(t);
  };
  const std::size_t tiles = problem_.table->tiles.size();
  run_tasks(tiles + 1, {}, [&](std::size_t t, Buffers& buffers) {
    if (t < tiles) node.try_tile(static_cast<std::uint32_t>(t), buffers);
    else node.try_entries(buffers);
  });
  const std::vector<Unopened> columns = std::move(unopened);
  unopened.clear();
  const Split coarse = best;
  run_tasks(columns.size(), coarse, [&](std::size_t t, Buffers& buffers) { node.open(columns[t], buffers); });
  return best;
}

Split FractionalSearch::multiway(const Items& items, const MultiwayRequest& request,
                                 const std::vector<char>* allowed, bool& exact) {
  const EncodedTable& table = *problem_.table;
  Split best;
  std::mutex mutex;
  pool_.parallel_for(table.columns.size(), [&](std::size_t c) {
    const EncodedColumn& column = table.columns[c];
    if (column.storage == Storage::constant || (allowed && !(*allowed)[c])) return;
    poll_();
    auto buffers = borrow();
    Node(problem_, items, request.node, allowed, poll_).group_all(static_cast<std::uint32_t>(c), *buffers);
    const Groups known = buffers->groups;
    give_back(std::move(buffers));
    bool own_exact = true;
    Split found = multiway_of_column(request, column.kind, static_cast<std::uint32_t>(c), known, own_exact);
    std::lock_guard lock(mutex);
    exact &= own_exact;
    if (found.found() && precedes_by_merit(found, best)) best = std::move(found);
  });
  return best;
}

}  // namespace hardwood
