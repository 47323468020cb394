#include "search/binary/node_search.hpp"

#include <type_traits>

#include "histogram/histogram_kernels.hpp"

namespace hardwood {

template <class Cell>
Split NodeSearch<Cell>::run(const NodeView<Cell>& view, const std::vector<char>* allowed, Pool* pool) {
  begin();
  const auto lanes = static_cast<std::uint32_t>(view.problem.table->lanes.size());
  for (std::uint32_t l = 0; l < lanes; ++l) try_lane(view, l, allowed);
  try_entries(view, allowed);
  open_buckets(view, pool);
  return finish();
}

template <class Cell>
Split NodeSearch<Cell>::run(const NodeView<Cell>& view, const std::vector<char>* allowed, SideWeights& sides,
                            Pool* pool) {
  if (view.totals.classes != 2 || view.problem.classes != 2) return run(view, allowed, pool);
  if (!sides.known()) {
    sides.begin(view.problem.table->columns.size());
    noting_ = &sides;
    Split out = run(view, allowed, pool);
    noting_ = nullptr;
    sides.finish();
    return out;
  }
  begin();
  for (std::uint32_t c : sides.order()) {
    const EncodedColumn& column = view.problem.table->columns[c];
    if (column.storage != Storage::lane && column.storage != Storage::bundle) continue;
    if ((allowed && !(*allowed)[c]) || sides.cannot_win(c, view.totals, best_.cost)) continue;
    fill_from_lane(view, column.lane, c);
    try_column(view, c, groups_);
  }
  try_entries(view, allowed);
  open_buckets(view, pool);
  return finish();
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

template <class Cell>
void NodeSearch<Cell>::fill_from_lane(const NodeView<Cell>& view, std::uint32_t l, std::uint32_t c) {
  const Lane& lane = view.problem.table->lanes[l];
  const EncodedColumn& column = view.problem.table->columns[c];
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
