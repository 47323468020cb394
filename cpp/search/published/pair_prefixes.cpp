#include "search/published/pair_prefixes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace hardwood {

namespace {

constexpr std::size_t most_kept = 32;        // sums between the marks
constexpr std::size_t least_between = 2048;  // pairs from one to the next
constexpr std::size_t sampled = 64;          // examples that tell the usual code

// Calls body(code of a stored row) with what tells the column's code.
template <class Body>
auto with_codes(const EncodedTable& table, const EncodedColumn& column, Body&& body) {
  const LaneView lane = lane_view(table, column.lane);
  const auto byte = [&](std::uint32_t row) {
    return static_cast<std::uint32_t>(lane.words[row] >> lane.shift) & 0xff;
  };
  if (column.storage != Storage::bundle) return body(byte);
  return body([&](std::uint32_t row) { return std::uint32_t{column.digits[byte(row)]}; });
}

}  // namespace

void PairPrefixes::clear() {
  example_.clear();
  channel_.clear();
  weight_.clear();
  until_.assign(1, 0);
  examples_.clear();
}

void PairPrefixes::push(std::uint32_t example, std::uint32_t channel, std::int64_t weight) {
  example_.push_back(example);
  channel_.push_back(static_cast<std::uint8_t>(channel));
  weight_.push_back(channel == 0 ? weight : -weight);
  until_.push_back(until_.back() + weight_.back());
}

void PairPrefixes::sum(const std::vector<std::size_t>& marks) {
  const std::size_t n = example_.size();
  const auto largest = std::max_element(example_.begin(), example_.end());
  std::vector<std::uint32_t> number(largest == example_.end() ? 0 : *largest + 1);  // among those that occur
  for (std::uint32_t example : example_) number[example] = 1;
  for (std::uint32_t row = 0; row < number.size(); ++row)
    if (number[row]) {
      number[row] = static_cast<std::uint32_t>(examples_.size());
      examples_.push_back({row, {0, 0}});
    }
  std::vector<std::size_t> ends(marks);
  const std::size_t between = std::max(least_between, n / most_kept);
  if (examples_.size() < n / 2)  // else an example has too few pairs to gain anything
    for (std::size_t end = between; end < n; end += between) ends.push_back(end);
  ends.push_back(n);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  kept_.resize(ends.size());  // their memory is used again
  std::size_t i = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    for (; i < ends[k]; ++i) examples_[number[example_[i]]].weight[channel_[i]] += std::abs(weight_[i]);
    Sums& sums = kept_[k];
    sums.end = ends[k];
    sums.weight.clear();
    for (const Example& each : examples_) sums.weight.push_back(each.weight[0] - each.weight[1]);
  }
}

PairPrefixes::Codes PairPrefixes::codes(const EncodedTable& table, const EncodedColumn& column) {
  return with_codes(table, column, [&](const auto& code) {
    Codes out;
    std::array<int, lane_codes> often{};
    for (std::size_t e = 0; e < std::min(sampled, examples_.size()); ++e)
      if (++often[code(examples_[e].row)] > often[out.usual]) out.usual = code(examples_[e].row);
    std::array<char, lane_codes> found{};
    scratch_.resize(examples_.size() + 1);
    std::size_t count = 0;
    for (std::size_t e = 0; e < examples_.size(); ++e) {
      const std::uint32_t c = code(examples_[e].row);
      scratch_[count] = static_cast<std::uint32_t>(e) << 8 | c;
      count += c != out.usual ? 1 : 0;
      found[c] = 1;
    }
    out.others.assign(scratch_.begin(), scratch_.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::uint32_t c = lane_codes; c-- > 0;)
      if (found[c]) out.first = c;
    for (std::uint32_t c = 0; c < lane_codes; ++c)
      if (found[c]) out.last = c;
    return out;
  });
}

const PairPrefixes::Sums& PairPrefixes::nearest(std::size_t end) const {
  const auto past = std::lower_bound(kept_.begin(), kept_.end(), end,
                                     [](const Sums& sums, std::size_t value) { return sums.end < value; });
  if (past == kept_.begin() || (past != kept_.end() && past->end - end < end - std::prev(past)->end))
    return *past;
  return *std::prev(past);
}

void PairPrefixes::advance(const EncodedTable& table, const EncodedColumn& column, const Codes& codes,
                           std::size_t seen, std::size_t end, std::vector<std::int64_t>& sums) const {
  const Sums& kept = nearest(end);
  const std::size_t rest = kept.end < end ? end - kept.end : kept.end - end;
  std::size_t from = seen;
  if (codes.others.size() + rest < end - seen) {
    from = kept.end;
    std::fill(sums.begin(), sums.end(), 0);
    for (std::uint32_t other : codes.others) sums[other & 0xff] += kept.weight[other >> 8];
    sums[codes.usual] = until_[kept.end] - std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  }
  with_codes(table, column, [&](const auto& code) {
    for (std::size_t i = from; i < end; ++i) sums[code(example_[i])] += weight_[i];
    for (std::size_t i = end; i < from; ++i) sums[code(example_[i])] -= weight_[i];
  });
}

}  // namespace hardwood
