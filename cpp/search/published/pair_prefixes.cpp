#include "search/published/pair_prefixes.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

namespace hardwood {

namespace {

constexpr std::size_t most_kept = 32;       // sums between the marks
constexpr std::size_t least_between = 2048;  // pairs from one to the next

// Consecutive rows often share a code; four arrays keep their additions from waiting for each other.
constexpr std::size_t ways = 4;
using Ways = std::array<std::array<std::int64_t, lane_codes>, ways>;

template <class Code>
void add(std::span<const std::uint32_t> examples, std::span<const std::int64_t> weights, std::int64_t sign,
         std::vector<std::int64_t>& sums, Code&& code) {
  const std::size_t n = examples.size();
  if (n < lane_codes) {
    for (std::size_t i = 0; i < n; ++i) sums[code(examples[i])] += sign * weights[i];
    return;
  }
  Ways found{};
  std::size_t i = 0;
  for (; i + ways <= n; i += ways)
    for (std::size_t k = 0; k < ways; ++k) found[k][code(examples[i + k])] += weights[i + k];
  for (; i < n; ++i) found[0][code(examples[i])] += weights[i];
  for (std::size_t c = 0; c < sums.size(); ++c)
    for (std::size_t k = 0; k < ways; ++k) sums[c] += sign * found[k][c];
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
    sums.example.clear();
    sums.weight.clear();
    for (const Example& each : examples_)
      if (each.weight[0] != each.weight[1]) {
        sums.example.push_back(each.row);
        sums.weight.push_back(each.weight[0] - each.weight[1]);
      }
  }
}

const PairPrefixes::Sums& PairPrefixes::nearest(std::size_t end) const {
  const auto past = std::lower_bound(kept_.begin(), kept_.end(), end,
                                     [](const Sums& sums, std::size_t value) { return sums.end < value; });
  if (past == kept_.begin() || (past != kept_.end() && past->end - end < end - std::prev(past)->end)) return *past;
  return *std::prev(past);
}

void PairPrefixes::advance(const EncodedTable& table, const EncodedColumn& column, std::size_t seen,
                           std::size_t end, std::vector<std::int64_t>& sums) const {
  const LaneView lane = lane_view(table, column.lane);
  const auto from_to = [&](std::size_t begin, std::size_t past, std::int64_t sign, const auto& code) {
    add(std::span(example_).subspan(begin, past - begin), std::span(weight_).subspan(begin, past - begin), sign,
        sums, code);
  };
  const auto go = [&](const auto& code) {
    const Sums& kept = nearest(end);
    const std::size_t rest = kept.end < end ? end - kept.end : kept.end - end;
    if (kept.example.size() + rest >= end - seen) return from_to(seen, end, 1, code);
    std::fill(sums.begin(), sums.end(), 0);
    add(std::span(kept.example), std::span(kept.weight), 1, sums, code);
    if (kept.end < end) from_to(kept.end, end, 1, code);
    else from_to(end, kept.end, -1, code);
  };
  const auto byte = [&](std::uint32_t row) { return (lane.words[row] >> lane.shift) & 0xff; };
  if (column.storage == Storage::bundle)
    go([&](std::uint32_t row) { return std::uint32_t{column.digits[byte(row)]}; });
  else go(byte);
}

}  // namespace hardwood
