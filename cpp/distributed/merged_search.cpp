#include "distributed/merged_search.hpp"

#include <algorithm>

#include "search/wide_search.hpp"

namespace hardwood {

MergedSearch::MergedSearch(const TablePlan& plan, NodeTotals totals, std::vector<int> present, int channels)
    : plan_(plan), totals_(std::move(totals)), channel_(std::move(present)), channels_(channels) {
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

// Group i is key i; missing categories apart.
void MergedSearch::fill_keys(const ColumnPlan& column, const KeySums& sums) {
  const int width = static_cast<int>(channel_.size());
  groups_.begin(width, sums.keys.size());
  for (std::size_t i = 0; i < sums.keys.size(); ++i) {
    const std::int64_t* weights = sums.weights.data() + i * channels_;
    const auto weight_of = [&](int k) { return static_cast<double>(weights[channel_[k]]); };
    if (column.coding == PartCoding::listed) {
      if (sums.keys[i] == missing_key) groups_.set_missing(weight_of);
      else groups_.push(static_cast<std::uint32_t>(sums.keys[i]), weight_of);
    } else {
      groups_.push(static_cast<std::uint32_t>(i), weight_of);
    }
  }
}

void MergedSearch::run(const std::int64_t* cells, const std::vector<char>* allowed) {
  for (std::uint32_t c = 0; c < plan_.columns.size(); ++c) {
    if (!plan_.columns[c].has_lane() || (allowed && !(*allowed)[c])) continue;
    fill_lane(cells, c);
    try_column(c);
  }
}

void MergedSearch::try_listed(std::uint32_t c, const KeySums& sums) {
  fill_keys(plan_.columns[c], sums);
  try_column(c);
}

void MergedSearch::try_column(std::uint32_t c) {
  const ColumnPlan& column = plan_.columns[c];
  const bool bucketed = column.bucketed();
  if (groups_.count + (groups_.any_missing ? 1 : 0) < (bucketed ? 1u : 2u)) return;
  if (column.kind == ColumnKind::category) {
    exact_ &= subsets_.run(groups_, totals_, c, best_);
    return;
  }
  const auto cut_of = [&](std::size_t i) {
    const std::uint32_t code = groups_.code[i];
    if (!bucketed) return std::uint64_t{code};
    return code < column.keys.size() ? column.keys[code] : ~std::uint64_t{0};
  };
  const auto describe = [&](std::size_t i, Candidate& candidate) {
    candidate.group = groups_.code[i];
    candidate.next_group = i + 1 < groups_.count ? groups_.code[i + 1] : none;
  };
  const auto scope = bucketed ? CutSearch::Scope::whole_with_bounds : CutSearch::Scope::whole;
  cuts_.run(groups_, totals_, c, scope, best_, cut_of, describe);
  if (!bucketed || groups_.count == 0) return;
  const auto& bounds = cuts_.bounds();
  noted_.push_back({c, {groups_.code.begin(), groups_.code.begin() + groups_.count},
                    {bounds.begin(), bounds.begin() + groups_.count}});
}

std::vector<WantedBuckets> MergedSearch::wanted() const {
  std::vector<WantedBuckets> out;
  for (const Noted& noted : noted_) {
    WantedBuckets wanted{noted.column, {}};
    for (std::size_t i = 0; i < noted.bucket.size(); ++i)
      if (noted.bound[i] <= best_.cost * prune_margin) wanted.buckets.push_back(noted.bucket[i]);
    if (!wanted.buckets.empty()) out.push_back(std::move(wanted));
  }
  return out;
}

void MergedSearch::offer(const std::int64_t* cells, std::uint32_t c, const KeySums& sums) {
  const ColumnPlan& column = plan_.columns[c];
  const auto noted = std::find_if(noted_.begin(), noted_.end(), [&](const Noted& n) { return n.column == c; });
  if (noted == noted_.end() || sums.keys.empty()) return;
  const auto offsets = channel_offsets(plan_.offset[c]);
  const int width = static_cast<int>(channel_.size());
  std::vector<double> running(width, 0.0);
  std::vector<std::uint32_t> place;  // of each group's bucket among the noted ones
  groups_.begin(width, sums.keys.size());
  std::size_t at = 0;
  for (std::size_t b = 0; b < noted->bucket.size() && at < sums.keys.size(); ++b) {
    const std::uint32_t bucket = noted->bucket[b];
    const std::uint64_t last = bucket < column.keys.size() ? column.keys[bucket] : ~std::uint64_t{0};
    std::vector<double> inside = running;
    for (; at < sums.keys.size() && sums.keys[at] <= last; ++at) {
      const std::int64_t* weights = sums.weights.data() + at * channels_;
      groups_.push_prefix(static_cast<std::uint32_t>(at), [&](int k) {
        return inside[k] += static_cast<double>(weights[channel_[k]]);
      });
      place.push_back(static_cast<std::uint32_t>(b));
    }
    for (int k = 0; k < width; ++k) running[k] += static_cast<double>(cells[offsets[k] + bucket]);
  }
  if (column.missing_code)
    groups_.set_missing([&](int k) { return static_cast<double>(cells[offsets[k] + column.values()]); });
  const auto describe = [&](std::size_t i, Candidate& candidate) {
    const bool more = i + 1 < groups_.count && place[i + 1] == place[i];
    const std::size_t next = place[i] + 1;
    candidate.group = noted->bucket[place[i]];
    candidate.next_group = more ? candidate.group : next < noted->bucket.size() ? noted->bucket[next] : none;
  };
  cuts_.run(groups_, totals_, c, CutSearch::Scope::part, best_,
            [&](std::size_t i) { return sums.keys[groups_.code[i]]; }, describe);
}

MergedBranching MergedSearch::wide(const WideRules& rules, const std::int64_t* cells,
                                   const std::vector<KeySums>& keys) {
  const bool two = rules.binary && best_.found();
  const double binary = two ? totals_.cost - best_.cost : 0.0;
  const WideRequest request{totals_, rules.prices, rules.min_drop, rules.root_weight, binary};
  MergedBranching out;
  for (std::uint32_t c = 0; c < plan_.columns.size(); ++c) {
    const ColumnPlan& column = plan_.columns[c];
    if (column.coding == PartCoding::constant) continue;
    const bool by_keys = column.bucketed() || !column.has_lane();
    if (by_keys) fill_keys(column, keys[c]);
    else fill_lane(cells, c);
    if (column.bucketed())
      groups_.set_missing([&](int k) {
        return static_cast<double>(cells[channel_offsets(plan_.offset[c])[k] + column.values()]);
      });
    WideSearch search;
    search.begin();
    EncodedColumn described;
    described.kind = column.kind;
    search.try_column(request, described, c, groups_);
    exact_ &= search.exact();
    if (!search.best().found() || !precedes(search.best(), out.split)) continue;
    out.split = search.best();
    const auto value = [&](std::uint32_t code) { return column.bucketed() ? keys[c].keys[code] : code; };
    out.lower.clear();
    out.upper.clear();
    for (std::uint32_t code : out.split.lower) out.lower.push_back(value(code));
    for (std::uint32_t code : out.split.upper) out.upper.push_back(value(code));
  }
  // A split in two has price 1 and comes first on a tie.
  if (out.split.found() && two && binary >= out.split.merit) out.split = {};
  return out;
}

}  // namespace hardwood
