#include "distributed/place_search.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "base/portable.hpp"

namespace hardwood {

namespace {

constexpr double few_rows = 2048;  // nodes with fewer are opened at once
// A segment of more rows is opened in runs first. A run takes about 27 bytes and a key 10, so n rows cost 8 *
// 27 + 10 n / 8 bytes in runs and 10 n in keys. 32 runs moved 62 MB where 8 move 38 (two workers,
// docs/scaling.md).
constexpr double rows_of_run = 32;
constexpr std::uint64_t runs_of_segment = 8;

}  // namespace

PlaceSearch::PlaceSearch(const ColumnPlan& plan, const Groups& buckets, const NodeTotals& node, double rows)
    : node_(node), rows_(rows) {
  const std::uint32_t last = plan.values() - 1;
  for (std::size_t i = 0; i < buckets.count; ++i) {
    const std::uint32_t b = buckets.code[i];
    Segment bucket{b == 0 ? 0 : plan.keys[b - 1] + 1,
                   b == last ? ~std::uint64_t{0} : plan.keys[b],
                   false,
                   b > 0 && b < last,
                   {},
                   0};  // the first and the last have no end to divide by
    bucket.ends_occur = bucket.first == bucket.last;
    for (int k = 0; k < buckets.channels; ++k) bucket.weights.push_back(buckets.weight(k, i));
    for (int k = 0; k < node.classes; ++k) bucket.total += buckets.weight(k, i);
    all_ += bucket.total;
    segments_.push_back(std::move(bucket));
  }
}

bool PlaceSearch::all_keys() const {
  return std::all_of(segments_.begin(), segments_.end(), [](const Segment& each) { return each.single(); });
}

bool PlaceSearch::pure(const Segment& segment) const {
  return std::count_if(segment.weights.begin(), segment.weights.begin() + node_.classes,
                       [](double weight) { return weight > 0; }) == 1;
}

// Whether the keys on both sides of the place between two segments have other class shares. All keys of a pure
// segment have the same.
auto PlaceSearch::parting(const Segment& before, const Segment& after) const -> Parting {
  if (node_.limits.any()) return Parting::yes;
  if (may_part_inside(before) || may_part_inside(after)) return Parting::unknown;
  for (int c = 0; c < node_.classes; ++c)
    if (static_cast<Wide>(before.weights[c]) * static_cast<Wide>(after.total) !=
        static_cast<Wide>(after.weights[c]) * static_cast<Wide>(before.total))
      return Parting::yes;
  return Parting::no;
}

std::size_t PlaceSearch::keys_at_least() const {
  std::size_t keys = 0;
  for (const Segment& own : segments_) keys += own.ends_occur && !own.single() ? 2 : 1;
  return keys;
}

std::size_t PlaceSearch::sure_places() const {
  std::size_t places = 0;
  for (std::size_t i = 1; i < segments_.size(); ++i)
    places += parting(segments_[i - 1], segments_[i]) == Parting::yes ? 1 : 0;
  return places;
}

// The keys beside a place are part of a split. True when they are known.
bool PlaceSearch::ask_for_ends(std::size_t i, std::vector<char>& open) const {
  for (std::size_t beside : {i, i + 1})
    if (!segments_[beside].ends_occur) open[beside] = 1;
  return !open[i] && !open[i + 1];
}

bool PlaceSearch::select(std::vector<char>& open) {
  end_.clear();
  bool known = true;
  double below = 0;
  std::size_t t = 1;
  for (std::size_t i = 0; i < segments_.size() && t <= boundary_points; ++i) {
    below += segments_[i].total;
    const double weight = below * (boundary_points + 1);
    const auto reaches = [&] { return t <= boundary_points && !(weight < static_cast<double>(t) * all_); };
    if (!reaches()) continue;
    if (may_part_inside(segments_[i])) {
      open[i] = 1;
      known = false;
      while (reaches()) ++t;
      continue;
    }
    if (i + 1 == segments_.size()) break;
    const Parting found = parting(segments_[i], segments_[i + 1]);
    if (found == Parting::no) continue;
    if (found == Parting::unknown) open[i + 1] = 1;
    known &= ask_for_ends(i, open);
    end_.push_back(static_cast<std::uint32_t>(i) + 1);
    while (reaches()) ++t;
  }
  return known;
}

bool PlaceSearch::keep_all(std::vector<char>& open) {
  end_.clear();
  bool known = true;
  for (std::size_t i = 0; i + 1 < segments_.size(); ++i) {
    if (parting(segments_[i], segments_[i + 1]) == Parting::no) continue;
    known &= ask_for_ends(i, open);
    end_.push_back(static_cast<std::uint32_t>(i) + 1);
  }
  return known;
}

std::vector<KeyInterval> PlaceSearch::wanted() {
  std::vector<char> open(segments_.size(), 0);
  const bool few = rows_ <= few_rows;
  const bool known = !few && select(open);
  const bool many_keys = keys_at_least() > boundary_points + 1;
  const bool many_places = node_.limits.any() || sure_places() > boundary_points;
  exact_ = false;
  if (few || (known && !(many_keys && many_places))) {
    const bool hidden = std::any_of(segments_.begin(), segments_.end(),
                                    [&](const Segment& each) { return may_part_inside(each); });
    exact_ = !few && many_keys && !hidden;
    if (exact_) keep_all(open);
    else
      for (std::size_t i = 0; i < segments_.size(); ++i) open[i] = segments_[i].single() ? 0 : 1;
  }
  asked_.clear();
  std::vector<KeyInterval> out;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (!open[i]) continue;
    const Segment& own = segments_[i];
    const bool runs = !few && own.divisible && rows_ * own.total / node_.weight > rows_of_run;
    const std::uint64_t step = runs ? std::bit_ceil((own.last - own.first) / runs_of_segment + 1) : 1;
    asked_.push_back(i);
    out.push_back({own.first, own.last, step});
  }
  return out;
}

void PlaceSearch::offer(const KeySums& sums, const std::vector<int>& channels, std::size_t width) {
  std::vector<Segment> all;
  std::size_t at = 0, next = 0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    Segment& own = segments_[i];
    if (next == asked_.size() || asked_[next] != i) {
      all.push_back(std::move(own));
      continue;
    }
    ++next;
    double found = 0;
    for (; at < sums.keys.size() && sums.keys[at] <= own.last; ++at) {
      const std::uint64_t* ends = sums.ends.empty() ? nullptr : &sums.ends[2 * at];
      Segment opened{ends ? ends[0] : sums.keys[at], ends ? ends[1] : sums.keys[at], true, true, {}, 0};
      for (int channel : channels)
        opened.weights.push_back(
            static_cast<double>(sums.weights[at * width + static_cast<std::size_t>(channel)]));
      for (int k = 0; k < node_.classes; ++k) opened.total += opened.weights[k];
      found += opened.total;
      all.push_back(std::move(opened));
    }
    if (found != own.total) throw std::logic_error("The parts' sums are not those of their bucket.");
  }
  segments_ = std::move(all);
}

void PlaceSearch::fill(Groups& groups, MergedGroups& merged) const {
  const int channels = static_cast<int>(segments_.front().weights.size());
  groups.begin(channels, segments_.size());
  for (std::size_t i = 0; i < segments_.size(); ++i)
    groups.push(static_cast<std::uint32_t>(i), [&](int k) { return segments_[i].weights[k]; });
  merged.exact = exact_;
  merged.end = end_;
  merged.end.push_back(static_cast<std::uint32_t>(segments_.size()));
}

}  // namespace hardwood
