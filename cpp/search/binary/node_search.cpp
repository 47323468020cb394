#include "search/binary/node_search.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "histogram/histogram_kernels.hpp"

namespace hardwood {

namespace {

constexpr std::size_t shared_cells = 1 << 15;  // fewer are looked through by one thread
constexpr std::size_t lanes_a_block = 8;

}  // namespace

template <class Cell>
void NodeSearch<Cell>::look_through(const NodeView<Cell>& view, const std::vector<char>* allowed, Pool* pool) {
  share_out(view, view.problem.table->lanes.size(), pool, [&](NodeSearch& search, std::size_t l) {
    search.try_lane(view, static_cast<std::uint32_t>(l), allowed);
  });
  try_flags(view, allowed);
  try_entries(view, allowed);
}

template <class Cell>
void NodeSearch<Cell>::look(const NodeView<Cell>& view, const std::vector<char>* allowed, SideWeights* sides,
                            double most_cost, Pool* pool) {
  begin(most_cost);
  if (!sides || view.totals.classes != 2 || view.problem.classes != 2) return look_through(view, allowed, pool);
  if (!sides->known()) {
    sides->begin(view.problem.table->columns.size());
    noting_ = sides;
    look_through(view, allowed, pool);
    noting_ = nullptr;
    sides->finish();
    return;
  }
  try_flags(view, allowed);
  share_out(view, sides->order().size(), pool, [&](NodeSearch& search, std::size_t i) {
    const std::uint32_t c = sides->order()[i];
    const EncodedColumn& column = view.problem.table->columns[c];
    if (column.storage != Storage::lane && column.storage != Storage::bundle) return;
    if (!view.layout.has(column.lane)) return;
    if ((allowed && !(*allowed)[c]) || sides->cannot_win(c, view.totals, search.best_.cost)) return;
    search.fill_from_lane(view, column.lane, c);
    search.try_column(view, c, search.groups_);
  });
  try_entries(view, allowed);
}

// Calls attempt(search, number) for each number, in blocks, by threads with a search each where there are many
// cells. Who tries what changes the work, never the result.
template <class Cell>
template <class Attempt>
void NodeSearch<Cell>::share_out(const NodeView<Cell>& view, std::size_t count, Pool* pool, Attempt attempt) {
  const bool shared = pool && pool->size() > 1 && view.layout.total * view.channels() >= shared_cells;
  const std::size_t threads = shared ? static_cast<std::size_t>(pool->size()) : 1;
  const std::size_t block = shared ? lanes_a_block : std::max<std::size_t>(count, 1);
  while (others_.size() + 1 < threads) others_.push_back(std::make_unique<NodeSearch>());
  for (auto& other : others_) other->noting_ = noting_;
  std::atomic<std::size_t> next{0};
  const double most_cost = best_.cost;
  const auto work = [&](std::size_t t) {
    NodeSearch& search = t == 0 ? *this : *others_[t - 1];
    if (t > 0) search.begin(most_cost);
    for (std::size_t begin; (begin = block * next++) < count;)
      for (std::size_t i = begin; i < std::min(begin + block, count); ++i) attempt(search, i);
  };
  if (!shared) return work(0);
  pool->parallel_for(threads, work);
  for (std::size_t t = 1; t < threads; ++t) {
    NodeSearch& other = *others_[t - 1];
    if (other.best_.found() && precedes(other.best_, best_)) best_ = std::move(other.best_);
    exact_ &= other.exact_;
    buckets_.add(other.buckets_);
  }
}

template <class Cell>
const std::vector<const Cell*>& NodeSearch<Cell>::column_cells(const NodeView<Cell>& view, const Lane& lane,
                                                               const Cell* cells, const EncodedColumn& column) {
  if (column.storage == Storage::bundle) {
    sum_bundled(view, lane, cells, column);
    from_.assign(to_.begin(), to_.end());
  } else {
    from_.clear();
    for (std::size_t offset : view.channel_offset) from_.push_back(cells + offset);
  }
  return from_;
}

// A flag's two codes as groups: the rows that have it, and the others.
template <class Cell>
void NodeSearch<Cell>::fill_from_flag(const NodeView<Cell>& view, std::uint32_t flag) {
  const std::uint8_t rarer = view.problem.table->flags.rarer[flag];
  const int classes = view.totals.classes;
  groups_.begin(classes, 2);
  const auto listed = [&](int k) { return static_cast<double>(view.flag(flag)[view.channel_offset[k]]); };
  for (std::uint8_t code = 0; code < 2; ++code) {
    const auto weight = [&](int k) { return code == rarer ? listed(k) : view.totals.total[k] - listed(k); };
    bool any = false;
    for (int k = 0; k < classes; ++k) any |= weight(k) != 0;
    if (any) groups_.push(code, weight);
  }
}

// All costs at once; then the columns that could be the best, one by one.
template <class Cell>
void NodeSearch<Cell>::try_flags(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  const std::size_t count = view.layout.flags;
  if (count == 0) return;
  const Flags& flags = view.problem.table->flags;
  const auto classes = static_cast<std::size_t>(view.totals.classes);
  flag_left_.resize(classes * count);
  flag_cost_.resize(count);
  flag_work_.resize(3 * count);
  flag_base_.assign(classes, 0.0);
  for (std::size_t k = 0; k < classes; ++k) {
    const Cell* from = view.flag(0) + view.channel_offset[k];
    for (std::size_t f = 0; f < count; ++f) flag_left_[k * count + f] = static_cast<double>(from[f]);
  }
  const Prefixes prefixes{view.totals.classes, count, flag_left_.data(), flag_base_.data(),
                          view.totals.total.data()};
  cost_kernels().costs(view.totals.criterion, prefixes, count - 1, flag_cost_.data(), flag_work_.data());
  if (allowed)
    for (std::size_t f = 0; f < count; ++f)
      if (!(*allowed)[flags.columns[f]]) flag_cost_[f] = impossible;
  const auto attempt = [&](std::size_t f) {
    if (flag_cost_[f] == impossible) return;
    fill_from_flag(view, static_cast<std::uint32_t>(f));
    try_column(view, flags.columns[f], groups_);
  };
  attempt(
      static_cast<std::size_t>(std::min_element(flag_cost_.begin(), flag_cost_.end()) - flag_cost_.begin()));
  for (std::size_t f = 0; f < count; ++f)
    if (flag_cost_[f] <= best_.cost) attempt(f);
}

template <class Cell>
void NodeSearch<Cell>::fill_from_lane(const NodeView<Cell>& view, std::uint32_t l, std::uint32_t c) {
  const Lane& lane = view.problem.table->lanes[l];
  const EncodedColumn& column = view.problem.table->columns[c];
  if (!view.layout.has(l)) return fill_from_flag(view, view.problem.table->flags.flag_of[c]);
  if (column.storage == Storage::bundle) {
    sum_bundled(view, lane, view.lane(l), column);
    fill_groups(groups_, marginal_.data(), marginal_offset_, column.codes(),
                column.has_missing ? column.values : none);
  } else {
    fill_groups(groups_, view.lane(l), view.channel_offset, lane.codes,
                column.has_missing ? column.missing_lane_code() : none);
  }
}

template <class Cell>
void NodeSearch<Cell>::try_lane(const NodeView<Cell>& view, std::uint32_t l, const std::vector<char>* allowed) {
  if (!view.layout.has(l)) return;
  for (std::uint32_t c : view.problem.table->lanes[l].columns) {
    if (allowed && !(*allowed)[c]) continue;
    fill_from_lane(view, l, c);
    if (noting_ && !view.problem.table->columns[c].bucketed()) noting_->note(c, groups_);
    try_column(view, c, groups_);
  }
}

template <class Cell>
void NodeSearch<Cell>::visit_lane(const NodeView<Cell>& view, std::uint32_t l, const Visit& visit) {
  for (std::uint32_t c : view.problem.table->lanes[l].columns) {
    if (view.problem.table->columns[c].bucketed()) {
      visit(c, buckets_.open_all(view, c));
    } else {
      fill_from_lane(view, l, c);
      visit(c, groups_);
    }
  }
}

template <class Cell>
void NodeSearch<Cell>::try_entries(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  const auto whole = [&](std::uint32_t c, const Groups& groups) { try_column(view, c, groups); };
  entry_cuts_.run(view, allowed, whole, best_);
}

template <class Cell>
void NodeSearch<Cell>::open_buckets(const NodeView<Cell>& view, Pool* pool) {
  buckets_.run(view, pool, best_);
  buckets_.clear();
}

// A bundled column's own sums from those of its lane.
template <class Cell>
void NodeSearch<Cell>::sum_bundled(const NodeView<Cell>& view, const Lane& lane, const Cell* cells,
                                   const EncodedColumn& column) {
  const std::uint32_t codes = column.codes();
  const int channels = view.channels();
  const HistogramKernels& kernels = histogram_kernels();
  marginal_.resize(channels * codes);
  marginal_offset_.resize(channels);
  from_.resize(channels);
  to_.resize(channels);
  for (int k = 0; k < channels; ++k) {
    marginal_offset_[k] = k * codes;
    from_[k] = cells + view.channel_offset[k];
    to_[k] = marginal_.data() + marginal_offset_[k];
  }
  const int lane_code_count = static_cast<int>(lane.codes), digits = static_cast<int>(codes);
  if constexpr (std::is_same_v<Cell, std::uint32_t>)
    kernels.marginal_counts(from_.data(), channels, column.digits.data(), lane_code_count, digits, to_.data());
  else
    kernels.marginal_weights(from_.data(), channels, column.digits.data(), lane_code_count, digits, to_.data());
}

template <class Cell>
void NodeSearch<Cell>::try_column(const NodeView<Cell>& view, std::uint32_t c, const Groups& groups) {
  const EncodedColumn& column = view.problem.table->columns[c];
  const bool bucketed = column.bucketed();
  if (groups.count + (groups.any_missing ? 1 : 0) < (bucketed ? 1u : 2u)) return;
  if (column.kind == ColumnKind::category) {
    exact_ &= subsets_.run(groups, view.totals, c, best_);
    return;
  }
  const auto cut_of = [&](std::size_t i) {
    const std::uint32_t code = groups.code[i];
    return std::uint64_t{bucketed ? column.bucket_start[code + 1] - 1 : code};
  };
  const auto describe = [&](std::size_t i, std::uint64_t cut, Split& split) {
    split.set_cut(cut, groups.code[i], i + 1 < groups.count ? groups.code[i + 1] : none);
  };
  const auto scope = bucketed ? CutSearch::Scope::whole_with_bounds : CutSearch::Scope::whole;
  cuts_.run(groups, view.totals, c, scope, best_, cut_of, describe);
  if (bucketed && groups.count > 0) buckets_.note(c, groups, cuts_.bounds());
}

template class NodeSearch<std::uint32_t>;
template class NodeSearch<std::int64_t>;

}  // namespace hardwood
