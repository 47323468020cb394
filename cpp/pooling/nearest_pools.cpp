#include "pooling/nearest_pools.hpp"

#include <algorithm>

namespace hardwood {

namespace {

// visit(number of the pair, lower item, upper item) until it says false.
template <class Visit>
void each_pair(const Ordering& ordering, Visit visit) {
  const Meetings& all = ordering.meetings;
  for (std::size_t r = 0; r < all.runs.size(); ++r) {
    const std::int8_t sign = ordering.sign[all.runs[r].column];
    if (sign == 0) continue;
    const std::int32_t below = ordering.item[all.runs[r].below];
    for (std::size_t k = all.runs[r].begin; k < all.end(r); ++k) {
      const std::int32_t above = ordering.item[all.above[k]];
      if (!(sign > 0 ? visit(k, below, above) : visit(k, above, below))) return;
    }
  }
}

}  // namespace

std::optional<InOrder> first_wrong(const Ordering& ordering, std::span<const double> value) {
  std::optional<InOrder> found;
  each_pair(ordering, [&](std::size_t, std::int32_t lower, std::int32_t upper) {
    if (value[lower] > value[upper]) found = InOrder{lower, upper};
    return !found;
  });
  return found;
}

std::vector<std::int32_t> nearest_groups(const Ordering& ordering, std::span<const double> weight,
                                         std::span<const double> value, const Poll& poll) {
  std::vector<bool> asked(ordering.meetings.above.size(), false);
  std::vector<double> found(value.begin(), value.end());
  std::vector<std::int32_t> group(value.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = static_cast<std::int32_t>(i);
  for (;;) {
    poll();
    std::vector<double> at_lower(value.size(), 0.0), at_upper(value.size(), 0.0);  // the worst surplus
    each_pair(ordering, [&](std::size_t, std::int32_t lower, std::int32_t upper) {
      const double surplus = found[lower] - found[upper];
      at_lower[lower] = std::max(at_lower[lower], surplus);
      at_upper[upper] = std::max(at_upper[upper], surplus);
      return true;
    });
    bool more = false;
    std::vector<InOrder> pairs;
    each_pair(ordering, [&](std::size_t k, std::int32_t lower, std::int32_t upper) {
      const double surplus = found[lower] - found[upper];
      if (!asked[k]) {
        if (!(surplus > 0) || (surplus != at_lower[lower] && surplus != at_upper[upper])) return true;
        asked[k] = more = true;
      }
      pairs.push_back({lower, upper});
      return true;
    });
    if (!more) return group;
    group = isotonic_groups(weight, value, pairs, poll);
    found = means_of_groups(weight, value, group);
  }
}

}  // namespace hardwood
