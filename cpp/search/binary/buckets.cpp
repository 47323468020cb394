#include "search/binary/buckets.hpp"

#include <algorithm>
#include <array>

namespace hardwood {

template <class Cell>
void BucketSearch<Cell>::note(std::uint32_t column, const Groups& groups, const std::vector<double>& bound) {
  if (used_ == noted_.size()) noted_.emplace_back();
  Noted& out = noted_[used_++];
  out.column = column;
  out.bucket.assign(groups.code.begin(), groups.code.begin() + groups.count);
  out.bound.assign(bound.begin(), bound.begin() + groups.count);
  out.lowest = *std::min_element(out.bound.begin(), out.bound.end());
}

template <class Cell>
void BucketSearch<Cell>::run(const NodeView<Cell>& view, Split& best) {
  std::vector<const Noted*> order;
  for (std::size_t i = 0; i < used_; ++i) order.push_back(&noted_[i]);
  // The column that leads comes first: what is found in it spares the others.
  const std::uint32_t leader = best.column;
  std::sort(order.begin(), order.end(), [&](const Noted* a, const Noted* b) {
    return std::tuple(a->column != leader, a->lowest, a->column) <
           std::tuple(b->column != leader, b->lowest, b->column);
  });
  for (const Noted* noted : order) {
    if (!choose(view, *noted, best.cost)) continue;
    const EncodedColumn& column = view.problem.table->columns[noted->column];
    group_rows(view, column);
    try_groups(view, noted->column, best);
  }
}

template <class Cell>
const Groups& BucketSearch<Cell>::open_all(const NodeView<Cell>& view, std::uint32_t c) {
  const EncodedColumn& column = view.problem.table->columns[c];
  Noted every{c, 0, {}, {}};
  for (std::uint32_t b = 0; b < column.buckets(); ++b) every.bucket.push_back(b);
  every.bound.assign(every.bucket.size(), 0.0);
  open(view, every, 1, 0);
  group_rows(view, column);
  set_missing(view, column);
  return groups_;
}

// The rows of the opened buckets as groups of equal code.
template <class Cell>
void BucketSearch<Cell>::group_rows(const NodeView<Cell>& view, const EncodedColumn& column) {
  collect_rows(view, column);
  if (places() <= 1024 + 4 * rows_.size()) group_by_table(view, column);
  else group_by_sorting(view, column);
}

template <class Cell>
bool BucketSearch<Cell>::choose(const NodeView<Cell>& view, const Noted& noted, double best_cost) {
  opened_.clear();
  if (noted.lowest > best_cost * prune_margin) return false;
  open(view, noted, 2, best_cost);
  return !opened_.empty();
}

// The buckets of at least so many codes whose bound does not exceed the cost, and what stands before each.
template <class Cell>
void BucketSearch<Cell>::open(const NodeView<Cell>& view, const Noted& noted, std::uint32_t least_width,
                              double cost) {
  opened_.clear();
  before_.clear();
  const EncodedColumn& column = view.problem.table->columns[noted.column];
  const Cell* lane = view.lane(column.lane);
  const int channels = view.channels();
  running_.assign(channels, 0.0);
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < noted.bucket.size(); ++i) {
    const std::uint32_t b = noted.bucket[i];
    const std::uint32_t width = column.bucket_start[b + 1] - column.bucket_start[b];
    if (width >= least_width && noted.bound[i] <= cost * prune_margin) {
      const std::uint32_t next = i + 1 < noted.bucket.size() ? noted.bucket[i + 1] : none;
      opened_.push_back({b, next, first, width});
      before_.insert(before_.end(), running_.begin(), running_.end());
      first += width;
    }
    for (int k = 0; k < channels; ++k) running_[k] += static_cast<double>(lane[view.channel_offset[k] + b]);
  }
}

template <class Cell>
void BucketSearch<Cell>::collect_rows(const NodeView<Cell>& view, const EncodedColumn& column) {
  constexpr std::size_t ahead = 24;
  const LaneView lane = lane_view(*view.problem.table, column.lane);
  std::array<std::uint8_t, lane_codes> is_open{};
  std::array<std::uint32_t, lane_codes> first{};
  for (const Opened& opened : opened_) {
    is_open[opened.bucket] = 1;
    first[opened.bucket] = opened.first;
  }
  rows_.clear();
  std::uint32_t channel = 0;
  for (const ClassRows& part : view.node.classes) {
    const std::size_t size = part.end - part.begin;
    if (matched_.size() < size + 1) matched_.resize(size + 1);
    const std::uint32_t* rows = view.rows + part.begin;
    std::uint32_t* out = matched_.data();
    std::size_t found = 0, i = 0;
    for (; i + ahead < size; ++i) {
      __builtin_prefetch(lane.words + rows[i + ahead]);
      out[found] = rows[i];
      found += is_open[lane[rows[i]]];
    }
    for (; i < size; ++i) {
      out[found] = rows[i];
      found += is_open[lane[rows[i]]];
    }
    with_fine(column.fine, [&](const auto* fine) {
      for (std::size_t k = 0; k < found; ++k) {
        const std::uint32_t row = out[k];
        rows_.push_back({first[lane[row]] + fine[row], channel, static_cast<double>(view.problem.weight(row)),
                         view.examples(row)});
      }
    });
    ++channel;
  }
}

// The next groups belong to this opened bucket: their sums continue from what stands before it.
template <class Cell>
void BucketSearch<Cell>::start(std::size_t opened, int channels) {
  running_.assign(before_.begin() + opened * channels, before_.begin() + (opened + 1) * channels);
}

template <class Cell>
void BucketSearch<Cell>::group_by_table(const NodeView<Cell>& view, const EncodedColumn& column) {
  const int channels = view.channels(), classes = view.totals.classes;
  const std::size_t width = places();
  table_.assign(channels * width, 0.0);
  for (const Row& row : rows_) {
    table_[row.channel * width + row.place] += row.weight;
    if (channels > classes) table_[classes * width + row.place] += row.examples;
  }
  groups_.begin(channels, std::min(width, rows_.size()));
  group_bucket_.clear();
  for (std::size_t b = 0; b < opened_.size(); ++b) {
    start(b, channels);
    const Opened& opened = opened_[b];
    for (std::uint32_t place = opened.first; place < opened.first + opened.width; ++place) {
      double any = 0;
      for (int k = 0; k < classes; ++k) any += table_[k * width + place];
      if (any == 0) continue;
      groups_.push_prefix(column.bucket_start[opened.bucket] + place - opened.first,
                          [&](int k) { return running_[k] += table_[k * width + place]; });
      group_bucket_.push_back(static_cast<std::uint32_t>(b));
    }
  }
}

template <class Cell>
void BucketSearch<Cell>::group_by_sorting(const NodeView<Cell>& view, const EncodedColumn& column) {
  const int channels = view.channels(), classes = view.totals.classes;
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.place < b.place; });
  groups_.begin(channels, rows_.size());
  group_bucket_.clear();
  std::size_t b = 0, at = 0;
  start(0, channels);
  while (at < rows_.size()) {
    const std::uint32_t place = rows_[at].place;
    while (place >= opened_[b].first + opened_[b].width) start(++b, channels);
    for (; at < rows_.size() && rows_[at].place == place; ++at) {
      running_[rows_[at].channel] += rows_[at].weight;
      if (channels > classes) running_[classes] += rows_[at].examples;
    }
    groups_.push_prefix(column.bucket_start[opened_[b].bucket] + place - opened_[b].first,
                        [&](int k) { return running_[k]; });
    group_bucket_.push_back(static_cast<std::uint32_t>(b));
  }
}

template <class Cell>
void BucketSearch<Cell>::set_missing(const NodeView<Cell>& view, const EncodedColumn& column) {
  if (!column.has_missing) return;
  const Cell* lane = view.lane(column.lane) + column.missing_lane_code();
  groups_.set_missing([&](int k) { return static_cast<double>(lane[view.channel_offset[k]]); });
}

template <class Cell>
void BucketSearch<Cell>::try_groups(const NodeView<Cell>& view, std::uint32_t c, Split& best) {
  set_missing(view, view.problem.table->columns[c]);
  const auto describe = [&](std::size_t i, std::uint64_t cut, Split& split) {
    const Opened& opened = opened_[group_bucket_[i]];
    const bool more = i + 1 < groups_.count && group_bucket_[i + 1] == group_bucket_[i];
    split.set_cut(cut, opened.bucket, more ? opened.bucket : opened.next_bucket);
  };
  cuts_.run(
      groups_, view.totals, c, CutSearch::Scope::part, best,
      [&](std::size_t i) { return std::uint64_t{groups_.code[i]}; }, describe);
}

template class BucketSearch<std::uint32_t>;
template class BucketSearch<std::int64_t>;

}  // namespace hardwood
