#include "search/binary/bucket_opener.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "search/binary/bucket_order.hpp"
#include "search/binary/kept_slices.hpp"

namespace hardwood {

namespace {

// A slice costs about as much as this many rows: its two corners and the cut at its end are six square roots.
constexpr std::size_t rows_a_slice = 8;
constexpr std::size_t least_slices = 64, most_slices = 4096;
constexpr std::size_t looked_slices = 1 << 14;  // where the order of classes is looked at for rounds to come
// With more than one part in so many of the weight in opened buckets, picking their rows first costs more than
// it spares.
constexpr double picking_parts = 4;

}  // namespace

template <class Cell>
void BucketOpener<Cell>::prepare(const NodeView<Cell>& view, std::span<NotedColumn* const> columns,
                                 double best_cost) {
  std::array<typename KeptSlices<Cell>::Asked, KeptSlices<Cell>::at_once> asked{};
  std::size_t count = 0;
  for (NotedColumn* noted : columns)
    if (choose(view, *noted, best_cost)) asked[count++] = {noted->column, opened_weight_ / view.totals.weight};
  view.kept->prepare(view, {asked.data(), count});
}

template <class Cell>
std::size_t BucketOpener<Cell>::run(const NodeView<Cell>& view, NotedColumn& noted, const RowBits* bits,
                                    Split& best) {
  if (!choose(view, noted, best.cost)) return 0;
  if constexpr (std::is_same_v<Cell, std::int64_t>)
    if (view.order) view.order->note_part(view, opened_weight_ / view.totals.weight);
  const EncodedColumn& column = view.problem.table->columns[noted.column];
  if (!use_kept(view, noted.column)) {
    if (CodeRunRows::can(view, bits) && opened_weight_ * picking_parts <= view.totals.weight) {
      const auto whole = [&](const Opened& each) {
        return CodeRun{each.bucket, column.bucket_start[each.bucket], column.bucket_start[each.bucket + 1] - 1};
      };
      return try_in_order(view, noted.column, *bits, opened_, before_, whole, best);
    }
    gather_rows(view, column, bits);
    set_slices(column, std::clamp(rows_.count() / rows_a_slice, least_slices, most_slices));
    sum_slices(view, column);
  }
  const std::size_t count = rows_.count();
  slices_.clear();
  slice_before_.clear();
  for (std::size_t i = 0; i < opened_.size(); ++i)
    if (opened_[i].bound <= best.cost * prune_margin) try_bucket(view, noted.column, i, best);
  try_slices(view, noted.column, bits, best);
  return count;
}

// Code by code, the most promising bucket or slice first: what is found in it spares others.
template <class Cell>
template <class Item, class RunOf>
std::size_t BucketOpener<Cell>::try_in_order(const NodeView<Cell>& view, std::uint32_t c, const RowBits& bits,
                                             const std::vector<Item>& items, const std::vector<double>& before,
                                             RunOf run_of, Split& best) {
  promising_.resize(items.size());
  std::iota(promising_.begin(), promising_.end(), 0u);
  std::sort(promising_.begin(), promising_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(items[a].bound, a) < std::tuple(items[b].bound, b);
  });
  std::size_t rows = 0;
  for (std::uint32_t i : promising_) {
    const Item& each = items[i];
    if (each.bound > best.cost * prune_margin) break;
    const double* const own_before = before.data() + i * static_cast<std::size_t>(view.channels());
    rows += run_rows_.fill(view, c, run_of(each), bits, own_before, groups_);
    set_missing(view, view.problem.table->columns[c]);
    try_groups(view, c, each.bucket, each.after, false, best);
  }
  return rows;
}

// The sums that are kept with the node, if they are; its rows are not gathered then.
template <class Cell>
bool BucketOpener<Cell>::use_kept(const NodeView<Cell>& view, std::uint32_t c) {
  if (!view.kept) return false;
  const Cell* const cells = view.kept->of(c);
  if (!cells) return false;
  const EncodedColumn& column = view.problem.table->columns[c];
  division_ = view.problem.table->aids->slices.of(*view.problem.table, c).division;
  place_opened(column);
  sums_.clear();
  for (const ClassRows& part : view.node.classes)
    sums_.push_back(cells + static_cast<std::size_t>(part.label) * division_.width);
  if (view.problem.examples)
    sums_.push_back(cells + static_cast<std::size_t>(view.problem.classes) * division_.width);
  rows_.take_all(view);
  gathered_ = false;
  return true;
}

template <class Cell>
void BucketOpener<Cell>::open_every(const NodeView<Cell>& view, std::uint32_t c) {
  const EncodedColumn& column = view.problem.table->columns[c];
  NotedColumn every{c, 0, {}, {}, true};
  for (std::uint32_t b = 0; b < column.buckets(); ++b) every.bucket.push_back(b);
  every.bound.assign(every.bucket.size(), 0.0);
  open(view, every, 1, 0);
  gather_rows(view, column, nullptr);
}

template <class Cell>
std::vector<double> BucketOpener<Cell>::unevenness(const NodeView<Cell>& view, std::uint32_t c) {
  const EncodedColumn& column = view.problem.table->columns[c];
  open_every(view, c);
  set_slices(column, looked_slices);
  sum_slices(view, column);
  std::vector<double> out(column.buckets(), 0.0);
  for (const Opened& opened : opened_)
    out[opened.bucket] =
        most_uneven(sums_[0] + opened.first, sums_[1] + opened.first, opened.slices, division_.shift == 0);
  return out;
}

template <class Cell>
const Groups& BucketOpener<Cell>::open_all(const NodeView<Cell>& view, std::uint32_t c) {
  const EncodedColumn& column = view.problem.table->columns[c];
  open_every(view, c);
  // One slice per bucket, all of them to be searched code by code.
  set_slices(column, 0);
  slices_.clear();
  for (const Opened& each : opened_)
    slices_.push_back({column.bucket_start[each.bucket], each.bucket, none, 0});
  collect_codes(view, column);
  running_.assign(view.channels(), 0.0);
  fill_groups(values_, std::span<const CodeRow<Cell>>(codes_), view.channels(), view.totals.classes,
              running_.data(), 0);
  if (column.has_missing) {
    const Cell* lane = view.lane(column.lane) + column.missing_lane_code();
    values_.set_missing([&](int k) { return static_cast<double>(lane[view.channel_offset[k]]); });
  }
  return values_;
}

template <class Cell>
bool BucketOpener<Cell>::choose(const NodeView<Cell>& view, NotedColumn& noted, double best_cost) {
  opened_.clear();
  if (noted.lowest > best_cost * prune_margin) return false;
  open(view, noted, 2, best_cost);
  return !opened_.empty();
}

// The buckets of at least so many codes whose bound does not exceed the cost, and what stands before each.
template <class Cell>
void BucketOpener<Cell>::open(const NodeView<Cell>& view, NotedColumn& noted, std::uint32_t least_width,
                              double cost) {
  opened_.clear();
  before_.clear();
  opened_weight_ = 0;
  const EncodedColumn& column = view.problem.table->columns[noted.column];
  const Cell* lane = view.lane(column.lane);
  const int channels = view.channels();
  running_.assign(channels, 0.0);
  for (std::size_t i = 0; i < noted.bucket.size(); ++i) {
    const std::uint32_t b = noted.bucket[i];
    const std::uint32_t width = column.bucket_start[b + 1] - column.bucket_start[b];
    bool opens = width >= least_width && noted.bound[i] <= cost * prune_margin;
    if constexpr (std::is_same_v<Cell, std::int64_t>)
      if (opens && view.order && !noted.by_order) {
        noted.bound[i] = std::max(noted.bound[i], view.order->bound(view, noted.column, b, running_.data()));
        opens = noted.bound[i] <= cost * prune_margin;
      }
    if (opens) {
      const std::uint32_t next = i + 1 < noted.bucket.size() ? noted.bucket[i + 1] : none;
      opened_.push_back({b, next, 0, 0, noted.bound[i]});
      before_.insert(before_.end(), running_.begin(), running_.end());
    }
    for (int k = 0; k < channels; ++k) {
      const auto weight = static_cast<double>(lane[view.channel_offset[k] + b]);
      running_[k] += weight;
      if (opens && k < view.totals.classes) opened_weight_ += weight;
    }
  }
  noted.by_order = true;  // of those not looked at the bound is too high already
}

// The rows of the opened buckets, or all where most are in them.
template <class Cell>
void BucketOpener<Cell>::gather_rows(const NodeView<Cell>& view, const EncodedColumn& column,
                                     const RowBits* bits) {
  gathered_ = opened_weight_ * picking_parts <= view.totals.weight;
  if (!gathered_) return rows_.take_all(view);
  std::array<std::uint8_t, lane_codes> is_open{};
  for (const Opened& opened : opened_) is_open[opened.bucket] = 1;
  rows_.pick(view, column, is_open, bits);
}

// Divides the opened buckets into about so many slices, of the same number of codes each; 0: one slice each.
template <class Cell>
void BucketOpener<Cell>::set_slices(const EncodedColumn& column, std::size_t most) {
  chosen_.clear();
  for (const Opened& each : opened_) chosen_.push_back(each.bucket);
  division_.set(column, chosen_, most);
  place_opened(column);
}

template <class Cell>
void BucketOpener<Cell>::place_opened(const EncodedColumn& column) {
  for (Opened& each : opened_) {
    each.first = division_.first[each.bucket];
    each.slices = division_.slices(column, each.bucket);
  }
}

template <class Cell>
void BucketOpener<Cell>::sum_slices(const NodeView<Cell>& view, const EncodedColumn& column) {
  const auto channels = static_cast<std::size_t>(view.channels());
  table_.assign(channels * division_.width, Cell{0});
  sums_.clear();
  for (std::size_t k = 0; k < channels; ++k) sums_.push_back(table_.data() + k * division_.width);
  Cell* const examples = view.problem.examples ? table_.data() + (channels - 1) * division_.width : nullptr;
  for (std::size_t k = 0; k < rows_.classes().size(); ++k)
    add_class_to_slices(view.problem, column, division_, rows_.classes()[k],
                        table_.data() + k * division_.width, examples);
}

template <class Cell>
std::uint32_t BucketOpener<Cell>::last_code(const EncodedColumn& column, std::uint32_t bucket,
                                            std::uint32_t code) const {
  return std::min(code + (std::uint32_t{1} << division_.shift), column.bucket_start[bucket + 1]) - 1;
}

template <class Cell>
void BucketOpener<Cell>::try_bucket(const NodeView<Cell>& view, std::uint32_t c, std::size_t i, Split& best) {
  const Opened& opened = opened_[i];
  const EncodedColumn& column = view.problem.table->columns[c];
  fill_from_slices(groups_, sums_, view.totals.classes, opened.first, opened.slices,
                   before_.data() + i * static_cast<std::size_t>(view.channels()));
  const std::uint32_t start = column.bucket_start[opened.bucket];
  for (std::size_t g = 0; g < groups_.count; ++g)
    groups_.code[g] = start + (groups_.code[g] << division_.shift);
  set_missing(view, column);
  try_groups(view, c, opened.bucket, opened.after, division_.shift > 0, best);
  if (division_.shift > 0) note_slices(view, opened, best.cost);
}

// Cuts between the groups of one bucket, and after the last of them.
template <class Cell>
void BucketOpener<Cell>::try_groups(const NodeView<Cell>& view, std::uint32_t c, std::uint32_t bucket,
                                    std::uint32_t after, bool bounds, Split& best) {
  const EncodedColumn& column = view.problem.table->columns[c];
  const auto cut_of = [&](std::size_t g) {
    return std::uint64_t{bounds ? last_code(column, bucket, groups_.code[g]) : groups_.code[g]};
  };
  const auto describe = [&](std::size_t g, std::uint64_t cut, Split& split) {
    split.set_cut(cut, bucket, g + 1 < groups_.count ? bucket : after);
  };
  cuts_.run(groups_, view.totals, c, bounds ? CutSearch::Scope::part_with_bounds : CutSearch::Scope::part, best,
            cut_of, describe);
}

template <class Cell>
void BucketOpener<Cell>::note_slices(const NodeView<Cell>& view, const Opened& opened, double cost) {
  const std::vector<double>& bound = cuts_.bounds();
  for (std::size_t g = 0; g < groups_.count; ++g) {
    if (bound[g] > cost * prune_margin) continue;
    const std::uint32_t after = g + 1 < groups_.count ? opened.bucket : opened.after;
    slices_.push_back({groups_.code[g], opened.bucket, after, bound[g]});
    for (int k = 0; k < view.channels(); ++k) slice_before_.push_back(groups_.left[k * groups_.stride + g]);
  }
}

// The slices that could still win, code by code.
template <class Cell>
void BucketOpener<Cell>::try_slices(const NodeView<Cell>& view, std::uint32_t c, const RowBits* bits,
                                    Split& best) {
  const EncodedColumn& column = view.problem.table->columns[c];
  if (CodeRunRows::can(view, bits)) {
    const auto run_of = [&](const Slice& each) {
      return CodeRun{each.bucket, each.at, last_code(column, each.bucket, each.at)};
    };
    try_in_order(view, c, *bits, slices_, slice_before_, run_of, best);
    return;
  }
  const int channels = view.channels(), classes = view.totals.classes;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    if (slices_[i].bound > best.cost * prune_margin) continue;
    slices_[kept] = slices_[i];
    std::copy_n(slice_before_.begin() + i * channels, channels, slice_before_.begin() + kept * channels);
    ++kept;
  }
  slices_.resize(kept);
  if (kept == 0) return;
  if (!gathered_) {
    std::array<std::uint8_t, lane_codes> is_open{};
    for (const Slice& slice : slices_) is_open[slice.bucket] = 1;
    rows_.pick(view, column, is_open, bits);
  }
  collect_codes(view, column);
  for (std::size_t at = 0; at < codes_.size();) {
    const std::uint32_t s = codes_[at].run;
    std::size_t end = at;
    while (end < codes_.size() && codes_[end].run == s) ++end;
    fill_groups(groups_, std::span<const CodeRow<Cell>>(codes_).subspan(at, end - at), channels, classes,
                slice_before_.data() + s * channels, 0);
    at = end;
    set_missing(view, column);
    try_groups(view, c, slices_[s].bucket, slices_[s].after, false, best);
  }
}

// The rows of slices_ in order of code.
template <class Cell>
void BucketOpener<Cell>::collect_codes(const NodeView<Cell>& view, const EncodedColumn& column) {
  const std::uint8_t* bucket_of = column.bucket_of.data();
  slice_of_.assign(division_.width, none);
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const std::uint32_t bucket = slices_[i].bucket;
    slice_of_[division_.first[bucket] + ((slices_[i].at - column.bucket_start[bucket]) >> division_.shift)] =
        static_cast<std::uint32_t>(i);
  }
  codes_.clear();
  with_fine(column.fine, [&](const auto* fine) {
    for (std::size_t k = 0; k < rows_.classes().size(); ++k)
      for (std::size_t i = 0; i < rows_.classes()[k].count; ++i) {
        const std::uint32_t row = rows_.classes()[k].rows[i], at = view.problem.table->stored(row);
        const std::uint32_t bucket = bucket_of[at];
        const std::uint32_t slice = slice_of_[division_.first[bucket] + (fine[at] >> division_.shift)];
        if (slice == none) continue;
        codes_.push_back({column.bucket_start[bucket] + fine[at], slice, static_cast<std::uint32_t>(k),
                          static_cast<Cell>(view.problem.weight(row)), static_cast<Cell>(view.examples(row))});
      }
  });
  std::sort(codes_.begin(), codes_.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
}

template <class Cell>
void BucketOpener<Cell>::set_missing(const NodeView<Cell>& view, const EncodedColumn& column) {
  if (!column.has_missing) return;
  const Cell* lane = view.lane(column.lane) + column.missing_lane_code();
  groups_.set_missing([&](int k) { return static_cast<double>(lane[view.channel_offset[k]]); });
}

template class BucketOpener<std::uint32_t>;
template class BucketOpener<std::int64_t>;

}  // namespace hardwood
