#include "search/binary/pruned_search.hpp"

#include <algorithm>
#include <limits>

#include "histogram/histogram_kernels.hpp"
#include "search/cost_kernels.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t least_block = 512;  // fewer rows than this cost less than a look at the bounds

}  // namespace

void PrunedSearch::start(const NodeView<Cell>& view, Cell* cells, const std::vector<char>* allowed) {
  const EncodedTable& table = *view.problem.table;
  search_.begin();
  lanes_.clear();
  assessments_ = 0;
  for (std::uint32_t l = 0; l < table.lanes.size(); ++l) {
    LaneState state{l};
    for (std::uint32_t c : table.lanes[l].columns) state.columns += !allowed || (*allowed)[c] ? 1 : 0;
    if (state.columns > 0) lanes_.push_back(state);
  }
  for (std::size_t offset : view.channel_offset) std::fill_n(cells + offset, view.layout.total, Cell{0});
  seen_.clear();
  for (std::size_t k = 0; k < view.node.classes.size(); ++k) {
    seen_.push_back(view.node.classes[k].begin);
    unseen_[k] = view.totals.total[k];
  }
}

// Rows from `from` up to seen_, of lanes of one tile.
void PrunedSearch::add_rows_of(const NodeView<Cell>& view, Cell* cells, std::span<const std::uint32_t> lanes,
                               const std::vector<std::uint32_t>& from) {
  if (lanes.empty()) return;
  const Words words = view.problem.table->tiles[lanes[0] / tile_lanes];
  for (std::size_t k = 0; k < from.size(); ++k) {
    TileLanes<Cell> to;
    for (std::uint32_t lane : lanes)
      to.add(lane % tile_lanes, cells + view.channel_offset[k] + view.layout.offset[lane]);
    histogram_kernels().add_weights(words, {view.rows + from[k], seen_[k] - from[k]}, view.problem.weights, to);
  }
}

// Looks at the rows up to `to` in all lanes in play, those of a tile in one pass.
void PrunedSearch::add_rows(const NodeView<Cell>& view, Cell* cells, const std::vector<std::uint32_t>& to) {
  const std::vector<std::uint32_t> from = seen_;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < to.size(); ++k) {
    count += to[k] - from[k];
    for (std::uint32_t i = from[k]; i < to[k]; ++i)
      unseen_[k] -= static_cast<double>(view.problem.weights[view.rows[i]]);
  }
  seen_ = to;
  std::vector<std::uint32_t> in_play;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!lanes_[i].complete) {
      in_play.push_back(lanes_[i].lane);
      assessments_ += count * lanes_[i].columns;
    }
    if (i + 1 == lanes_.size() || lanes_[i + 1].lane / tile_lanes != lanes_[i].lane / tile_lanes) {
      add_rows_of(view, cells, in_play, from);
      in_play.clear();
    }
  }
}

bool PrunedSearch::all_seen(const NodeView<Cell>& view) const {
  for (std::size_t k = 0; k < seen_.size(); ++k)
    if (seen_[k] < view.node.classes[k].end) return false;
  return true;
}

// The heaviest unseen rows that hold half of the unseen weight, and enough of them to be worth a look.
std::vector<std::uint32_t> PrunedSearch::next_block(const NodeView<Cell>& view) const {
  std::vector<std::uint32_t> to = seen_;
  const std::int64_t* weights = view.problem.weights;
  const double goal = (unseen_[0] + unseen_[1]) / 2;
  const std::uint32_t end0 = view.node.classes[0].end, end1 = view.node.classes[1].end;
  double sum = 0;
  std::uint32_t count = 0;
  while ((sum < goal || count < least_block) && (to[0] < end0 || to[1] < end1)) {
    const std::int64_t weight0 = to[0] < end0 ? weights[view.rows[to[0]]] : -1;
    const std::int64_t weight1 = to[1] < end1 ? weights[view.rows[to[1]]] : -1;
    if (weight0 >= weight1) ++to[0];
    else ++to[1];
    sum += static_cast<double>(std::max(weight0, weight1));
    ++count;
  }
  if ((end0 - to[0]) + (end1 - to[1]) < least_block) to = {end0, end1};
  return to;
}

void PrunedSearch::set_bounds(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  const EncodedTable& table = *view.problem.table;
  const CostKernels& kernels = cost_kernels();
  double work[2 * (lane_codes + 1)];
  for (LaneState& state : lanes_) {
    const Lane& lane = table.lanes[state.lane];
    state.bound = std::numeric_limits<double>::infinity();
    for (std::uint32_t c : lane.columns) {
      if (allowed && !(*allowed)[c]) continue;
      const EncodedColumn& column = table.columns[c];
      if (column.kind == ColumnKind::category) {  // subsets have no order to bound along
        state.bound = 0;
        break;
      }
      const auto& cells = search_.column_cells(view, lane, view.lane(state.lane), column);
      SeenColumn seen;
      seen.cells[0] = cells[0];
      seen.cells[1] = cells[1];
      const bool bundled = column.storage == Storage::bundle;
      seen.codes = static_cast<int>(bundled ? column.codes() : lane.codes);
      if (column.has_missing) seen.missing_code = static_cast<int>(column.missing_lane_code());
      seen.buckets = column.bucketed();
      seen.total = view.totals.total.data();
      seen.unseen = unseen_;
      seen.work = work;
      state.bound = std::min(state.bound, kernels.lowest(view.totals.criterion, seen));
    }
  }
}

// Looks at the rest of the rows in one lane and searches it exactly.
void PrunedSearch::complete(const NodeView<Cell>& view, Cell* cells, LaneState& state,
                            const std::vector<char>* allowed) {
  const std::vector<std::uint32_t> seen = seen_;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < seen.size(); ++k) {
    seen_[k] = view.node.classes[k].end;
    count += seen_[k] - seen[k];
  }
  add_rows_of(view, cells, {&state.lane, 1}, seen);
  seen_ = seen;
  assessments_ += count * state.columns;
  state.complete = true;
  search_.try_lane(view, state.lane, allowed);
  search_.open_buckets(view);
}

void PrunedSearch::drop_losers() {
  const double limit = search_.best().cost * prune_margin;
  std::erase_if(lanes_, [&](const LaneState& lane) { return lane.complete || lane.bound > limit; });
}

PrunedSearch::Result PrunedSearch::run(const Problem& problem, const HistogramLayout& layout,
                                       const NodeRows& node, const std::uint32_t* rows, Cell* cells,
                                       const NodeTotals& totals, const std::vector<char>* allowed) {
  NodeView<Cell> view{problem, layout, node, rows, cells, totals, {}, nullptr};
  for (const ClassRows& part : node.classes) view.channel_offset.push_back(part.label * layout.total);
  start(view, cells, allowed);
  search_.try_entries(view, allowed);
  for (std::uint32_t c : problem.table->entry_columns)
    if (!allowed || (*allowed)[c]) assessments_ += node.size();

  while (!lanes_.empty()) {
    const std::vector<std::uint32_t> to = next_block(view);
    add_rows(view, cells, to);
    if (all_seen(view)) break;
    set_bounds(view, allowed);
    const auto leader = std::min_element(
        lanes_.begin(), lanes_.end(), [](const LaneState& a, const LaneState& b) { return a.bound < b.bound; });
    if (leader->bound <= search_.best().cost * prune_margin) complete(view, cells, *leader, allowed);
    drop_losers();
  }
  for (const LaneState& state : lanes_) search_.try_lane(view, state.lane, allowed);
  search_.open_buckets(view);
  return {search_.finish(), assessments_};
}

}  // namespace hardwood
