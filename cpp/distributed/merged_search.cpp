#include "distributed/merged_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "search/fractional/known_branches.hpp"

namespace hardwood {

namespace {

constexpr double rows_to_divide = 2048;  // a run of more rows is opened in pieces first
constexpr std::uint64_t pieces_of_a_run = 64;
constexpr std::uint32_t gap = none;  // a group that lies between the runs that are opened

[[noreturn]] void refuse_sums() {
  throw std::logic_error(
      "The parts' sums are not those of their node, so the tree would be wrong. This is an error in hardwood, "
      "not in the data; please report it.");
}

}  // namespace

MergedSearch::MergedSearch(const TablePlan& plan, NodeTotals totals, std::vector<int> present, int channels,
                           bool fractional)
    : plan_(plan), totals_(std::move(totals)), channel_(std::move(present)), channels_(channels),
      fractional_(fractional ? std::make_unique<FractionalColumns>() : nullptr) {
  if (totals_.total.size() > channel_.size()) channel_.push_back(channels - 1);
}

std::vector<std::size_t> MergedSearch::channel_offsets(std::size_t column_offset) const {
  std::vector<std::size_t> out;
  for (int channel : channel_) out.push_back(channel * plan_.total + column_offset);
  return out;
}

void MergedSearch::fill_lane(const std::int64_t* cells, std::uint32_t c) {
  const ColumnPlan& column = plan_.columns[c];
  fill_groups(groups_, cells, channel_offsets(plan_.offset[c]), column.codes(),
              column.missing_code ? column.values() : none);
}

// An uncoded column's categories; missing ones apart.
void MergedSearch::fill_keys(const KeySums& sums) {
  const int width = static_cast<int>(channel_.size());
  groups_.begin(width, sums.keys.size());
  for (std::size_t i = 0; i < sums.keys.size(); ++i) {
    const std::int64_t* weights = sums.weights.data() + i * channels_;
    const auto weight_of = [&](int k) { return static_cast<double>(weights[channel_[k]]); };
    if (sums.keys[i] == missing_key) groups_.set_missing(weight_of);
    else groups_.push(static_cast<std::uint32_t>(sums.keys[i]), weight_of);
  }
}

void MergedSearch::run(const std::int64_t* cells, const std::vector<char>* allowed) {
  for (std::uint32_t c = 0; c < plan_.columns.size(); ++c) {
    if (!plan_.columns[c].has_lane() || (allowed && !(*allowed)[c])) continue;
    fill_lane(cells, c);
    check_whole();
    try_column(c);
  }
}

void MergedSearch::try_uncoded(std::uint32_t c, const KeySums& sums) {
  fill_keys(sums);
  check_whole();
  try_column(c);
}

// Where parts put rows into other branches than the split says, their sums are not those that the search
// expects.
void MergedSearch::check_whole() const {
  for (int k = 0; k < groups_.channels; ++k)
    if (groups_.left[k * groups_.stride + groups_.count] + groups_.missing[k] != totals_.total[k])
      refuse_sums();
}

template <class CutOf, class Describe>
const std::vector<double>& MergedSearch::try_cuts(std::uint32_t c, CutSearch::Scope scope, CutOf cut_of,
                                                  Describe describe) {
  if (!fractional_) {
    cuts_.run(groups_, totals_, c, scope, best_, cut_of, describe);
    return cuts_.bounds();
  }
  fractional_->best = std::move(best_);
  fractional_->try_cuts(groups_, totals_, c, cut_of, describe);
  best_ = std::move(fractional_->best);
  return fractional_->bounds();
}

void MergedSearch::try_column(std::uint32_t c) {
  const ColumnPlan& column = plan_.columns[c];
  const bool bucketed = column.bucketed();
  const bool missing_apart = groups_.any_missing && !fractional_;
  if (groups_.count + (missing_apart ? 1 : 0) < (bucketed ? 1u : 2u)) return;
  if (column.kind == ColumnKind::category && fractional_) {
    fractional_->best = std::move(best_);
    fractional_->try_subsets(groups_, totals_, c);
    best_ = std::move(fractional_->best);
    exact_ &= fractional_->exact;
    return;
  }
  if (column.kind == ColumnKind::category) {
    exact_ &= subsets_.run(groups_, totals_, c, best_);
    return;
  }
  const auto cut_of = [&](std::size_t i) {
    const std::uint32_t code = groups_.code[i];
    if (!bucketed) return std::uint64_t{code};
    return code < column.keys.size() ? column.keys[code] : ~std::uint64_t{0};
  };
  const auto describe = [&](std::size_t i, std::uint64_t cut, Split& split) {
    split.set_cut(cut, groups_.code[i], i + 1 < groups_.count ? groups_.code[i + 1] : none);
  };
  const auto scope = bucketed ? CutSearch::Scope::whole_with_bounds : CutSearch::Scope::whole;
  const std::vector<double>& bounds = try_cuts(c, scope, cut_of, describe);
  if (!bucketed || groups_.count == 0) return;
  // The best split only gets better, so what cannot win now never will; most buckets cannot.
  Noted noted{c, {groups_.code.begin(), groups_.code.begin() + groups_.count}, {}, {}};
  for (std::size_t i = 0; i < groups_.count; ++i) {
    if (bounds[i] > may_win_upto()) continue;
    const std::uint32_t b = groups_.code[i];
    Run run{b == 0 ? 0 : column.keys[b - 1] + 1, cut_of(i), i, {}, 0, bounds[i]};
    for (int k = 0; k < groups_.channels; ++k) run.before.push_back(groups_.left[k * groups_.stride + i]);
    for (int k = 0; k < totals_.classes; ++k) run.weight += groups_.weight(k, i);
    noted.runs.push_back(std::move(run));
  }
  if (!noted.runs.empty()) noted_.push_back(std::move(noted));
}

// Costs of pieces are rounded more: entropies are good to a fraction of the node's weight.
double MergedSearch::may_win_upto() const {
  const double rounding = fractional_ ? totals_.weight * 0x1p-40 + 2 * totals_.classes : 0;
  return best_.cost * prune_margin + rounding;
}

WantedKeys MergedSearch::wanted_of(Noted& noted, double rows) {
  const std::size_t buckets = plan_.columns[noted.column].keys.size() + 1;
  WantedKeys out{noted.column, {}};
  noted.asked.clear();
  for (Run& run : noted.runs) {
    if (run.bound > may_win_upto() || run.low == run.high) continue;
    const double inside = rows * run.weight / totals_.weight;
    const std::uint32_t bucket = noted.bucket[run.place];
    // The first and the last bucket have no end to divide by.
    const bool pieces = inside > rows_to_divide && bucket > 0 && bucket + 1 < buckets;
    const std::uint64_t step = pieces ? std::bit_ceil((run.high - run.low) / pieces_of_a_run + 1) : 1;
    out.intervals.push_back({run.low, run.high, step});
    out.keys += pieces ? static_cast<double>(pieces_of_a_run) : inside;
    noted.asked.push_back(std::move(run));
  }
  noted.runs.clear();
  return out;
}

std::vector<WantedKeys> MergedSearch::wanted(double rows) {
  std::vector<WantedKeys> out;
  for (Noted& noted : noted_)
    if (auto each = wanted_of(noted, rows); !each.intervals.empty()) out.push_back(std::move(each));
  return out;
}

// Groups of the keys that were asked for and of what lies between them; of each the run it is a piece of.
std::vector<std::size_t> MergedSearch::fill_asked(const Noted& noted, const KeySums& sums) {
  std::vector<std::size_t> from;
  groups_.begin(static_cast<int>(channel_.size()), sums.keys.size() + noted.asked.size());
  std::size_t at = 0;
  for (std::size_t r = 0; r < noted.asked.size(); ++r) {
    const Run& run = noted.asked[r];
    // What lies between the runs is a group too, so that every prefix follows from the one before; what
    // lies before the first is none where nothing does (missing values alone on the left are no split).
    if (std::any_of(run.before.begin(), run.before.end(), [](double weight) { return weight > 0; })) {
      groups_.push_prefix(gap, [&](int k) { return run.before[k]; });
      from.push_back(r);
    }
    std::vector<double> inside = run.before;
    for (; at < sums.keys.size() && sums.keys[at] <= run.high; ++at) {
      const std::int64_t* weights = sums.weights.data() + at * channels_;
      groups_.push_prefix(static_cast<std::uint32_t>(at),
                          [&](int k) { return inside[k] += static_cast<double>(weights[channel_[k]]); });
      from.push_back(r);
    }
    double opened = 0;
    for (int k = 0; k < totals_.classes; ++k) opened += inside[k] - run.before[k];
    if (opened != run.weight) refuse_sums();
  }
  return from;
}

void MergedSearch::offer(const std::int64_t* cells, std::uint32_t c, const KeySums& sums) {
  const auto found = std::find_if(noted_.begin(), noted_.end(), [&](const Noted& n) { return n.column == c; });
  if (found == noted_.end()) return;
  Noted& noted = *found;
  const std::vector<std::size_t> from = fill_asked(noted, sums);
  set_missing(cells, c);
  const auto key_of_group = [&](std::size_t i) {
    if (groups_.code[i] != gap) return sums.keys[groups_.code[i]];
    const std::uint64_t low = noted.asked[from[i]].low;
    return low == 0 ? low : low - 1;
  };
  // The cut before a run is one that was tried already, so a gap never wins. The smallest key above a cut
  // is in the cut's bucket or in the next; in the last bucket it may not be there at all.
  const auto describe = [&](std::size_t i, std::uint64_t cut, Split& split) {
    const std::size_t place = noted.asked[from[i]].place;
    const std::uint32_t bucket = noted.bucket[place];
    if (place + 1 < noted.bucket.size()) return split.set_cut(cut, bucket, noted.bucket[place + 1]);
    double above = totals_.weight;
    for (int k = 0; k < totals_.classes; ++k)
      above -= groups_.left[k * groups_.stride + i + 1] + groups_.missing[k];
    split.set_cut(cut, bucket, above > 0 ? bucket : none);
  };
  const std::vector<double>& bounds = try_cuts(c, CutSearch::Scope::part_with_bounds, key_of_group, describe);
  for (std::size_t i = 0; i < groups_.count; ++i) {
    if (groups_.code[i] == gap || sums.ends.empty() || bounds[i] > may_win_upto()) continue;
    const std::uint64_t* ends = &sums.ends[2 * std::size_t{groups_.code[i]}];
    if (ends[0] == ends[1]) continue;
    Run piece{ends[0], ends[1], noted.asked[from[i]].place, {}, 0, bounds[i]};
    for (int k = 0; k < groups_.channels; ++k) piece.before.push_back(groups_.left[k * groups_.stride + i]);
    for (int k = 0; k < totals_.classes; ++k) piece.weight += groups_.weight(k, i);
    noted.runs.push_back(std::move(piece));
  }
}

// From the groups, every value present one.
Split MergedSearch::multiway_of(const MultiwayRequest& request, ColumnKind kind, std::uint32_t c) {
  if (fractional_) return multiway_of_column(request, kind, c, groups_, exact_);
  MultiwaySearch search;
  search.begin();
  search.try_column(request, kind, c, groups_);
  exact_ &= search.exact();
  return search.best();
}

void MergedSearch::set_missing(const std::int64_t* cells, std::uint32_t c) {
  const ColumnPlan& column = plan_.columns[c];
  if (!column.missing_code) return;
  const auto offsets = channel_offsets(plan_.offset[c]);
  groups_.set_missing([&](int k) { return static_cast<double>(cells[offsets[k] + column.values()]); });
}

std::vector<ColumnPlaces> MergedSearch::places(const MultiwayRequest& request, const std::int64_t* cells,
                                               double rows, const std::vector<char>* allowed) {
  std::vector<ColumnPlaces> out;
  if (!fractional_ && MultiwaySearch().cannot_win(request)) return out;
  for (std::uint32_t c = 0; c < plan_.columns.size(); ++c) {
    if (!plan_.columns[c].bucketed() || (allowed && !(*allowed)[c])) continue;
    fill_lane(cells, c);
    check_whole();
    // Pieces of examples are shared out by all keys.
    if (groups_.count) out.push_back({c, {plan_.columns[c], groups_, totals_, fractional_ ? 0 : rows}});
  }
  return out;
}

// Of a bucketed column.
Split MergedSearch::multiway_between(const MultiwayRequest& request, const std::int64_t* cells,
                                     const ColumnPlaces& places) {
  const std::uint32_t c = places.column;
  MergedGroups merged;
  places.search.fill(groups_, merged);
  set_missing(cells, c);
  check_whole();
  Split found;
  if (places.search.all_keys()) {
    found = multiway_of(request, plan_.columns[c].kind, c);
  } else {
    MultiwaySearch search;
    search.begin();
    search.try_places(request, c, groups_, std::move(merged));
    exact_ &= search.exact();
    found = search.best();
  }
  for (auto* list : {&found.cuts, &found.below})
    for (std::uint64_t& group : *list) group = places.search.last_key(group);
  for (std::uint64_t& group : found.above) group = places.search.first_key(group);
  return found;
}

Split MergedSearch::multiway(const MultiwayRequest& request, const std::int64_t* cells,
                             const std::vector<ColumnPlaces>& places, const std::vector<KeySums>& uncoded,
                             const std::vector<char>* allowed) {
  Split best;
  const auto offer = [&](Split found) {
    if (found.found() && precedes_by_merit(found, best)) best = std::move(found);
  };
  for (std::uint32_t c = 0; c < plan_.columns.size(); ++c) {
    const ColumnPlan& column = plan_.columns[c];
    if (column.coding == PartCoding::constant || column.bucketed() || (allowed && !(*allowed)[c])) continue;
    if (column.has_lane()) fill_lane(cells, c);
    else fill_keys(uncoded[c]);
    check_whole();
    offer(multiway_of(request, column.kind, c));
  }
  for (const ColumnPlaces& each : places) offer(multiway_between(request, cells, each));
  return best;
}

}  // namespace hardwood
