#include "pooling/implied_pairs.hpp"

#include <algorithm>
#include <cstdint>

namespace hardwood {

namespace {

// The upper ends of each item's pairs, one item after the other.
struct Uppers {
  std::vector<std::size_t> begin;
  std::vector<std::int32_t> upper;

  Uppers(std::size_t items, std::span<const InOrder> pairs) : begin(items + 1, 0), upper(pairs.size()) {
    for (const InOrder& pair : pairs) ++begin[pair.lower + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::size_t> free(begin.begin(), begin.end() - 1);
    for (const InOrder& pair : pairs) upper[free[pair.lower]++] = pair.upper;
  }
  std::span<std::int32_t> of(std::int32_t item) {
    return {upper.data() + begin[item], begin[item + 1] - begin[item]};
  }
};

// Every item before its uppers; shorter than the items where pairs have a cycle.
std::vector<std::int32_t> ascending(std::size_t items, Uppers& uppers) {
  std::vector<std::int32_t> below(items, 0), order;
  for (std::int32_t item : uppers.upper) ++below[item];
  for (std::size_t i = 0; i < items; ++i)
    if (below[i] == 0) order.push_back(static_cast<std::int32_t>(i));
  for (std::size_t at = 0; at < order.size(); ++at)
    for (std::int32_t item : uppers.of(order[at]))
      if (--below[item] == 0) order.push_back(item);
  return order;
}

}  // namespace

// From the last item to the first: one upper end after the other, the earliest in the order first, is kept
// unless those kept before lead to it.
std::vector<InOrder> without_implied(std::size_t items, std::span<const InOrder> pairs, const Poll& poll) {
  Uppers uppers(items, pairs);
  const std::vector<std::int32_t> order = ascending(items, uppers);
  if (order.size() < items) return {};
  std::vector<std::int32_t> place(items);
  for (std::size_t i = 0; i < items; ++i) place[order[i]] = static_cast<std::int32_t>(i);
  const std::size_t words = (items + 63) / 64;
  std::vector<std::uint64_t> reached(items * words, 0);  // per item a bit for each item above it
  std::vector<InOrder> kept;
  for (std::size_t i = items; i-- > 0;) {
    poll();
    const std::int32_t item = order[i];
    std::uint64_t* own = reached.data() + item * words;
    const std::span<std::int32_t> ends = uppers.of(item);
    std::sort(ends.begin(), ends.end(), [&](std::int32_t a, std::int32_t b) { return place[a] < place[b]; });
    for (std::int32_t upper : ends) {
      if (own[upper / 64] >> (upper % 64) & 1) continue;
      kept.push_back({item, upper});
      const std::uint64_t* theirs = reached.data() + upper * words;
      for (std::size_t w = 0; w < words; ++w) own[w] |= theirs[w];
      own[upper / 64] |= std::uint64_t{1} << (upper % 64);
    }
  }
  return kept;
}

}  // namespace hardwood
