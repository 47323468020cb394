#include "search/published/pair_prefixes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace hardwood {

namespace {

constexpr std::size_t most_kept = 64;        // sums between the marks
constexpr std::size_t least_between = 2048;  // pairs from one to the next
constexpr std::size_t sampled = 64;          // examples that tell the usual code
// From so many pairs on they are added to four sums in turn: most have the usual code, and each addition to its
// cell waits for the one before.
constexpr std::size_t many_pairs = 1024;
constexpr std::size_t turns = 4;

// Codes of stored rows, one byte each.
void read_codes(const EncodedTable& table, const EncodedColumn& column, std::vector<std::uint8_t>& out) {
  const LaneView lane = lane_view(table, column.lane);
  const Words words = lane.words;
  const int shift = lane.shift;
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = static_cast<std::uint8_t>(words[row] >> shift);
  if (column.storage == Storage::bundle)
    for (std::uint8_t& code : out) code = column.digits[code];
}

std::uint32_t usual_of(const std::vector<std::uint8_t>& codes) {
  std::array<int, lane_codes> often{};
  std::uint32_t usual = 0;
  const std::size_t step = std::max<std::size_t>(codes.size() / sampled, 1);
  for (std::size_t row = 0; row < codes.size(); row += step)
    if (++often[codes[row]] > often[usual]) usual = codes[row];
  return usual;
}

}  // namespace

void PairPrefixes::begin(std::size_t pairs, std::size_t examples) {
  example_.clear();
  weight_.clear();
  until_.assign(1, 0);
  example_.reserve(pairs);
  weight_.reserve(pairs);
  until_.reserve(pairs + 1);
  for (std::uint32_t row : present_) {
    by_example_[row] = {};
    is_present_[row] = 0;
  }
  by_example_.resize(examples);
  is_present_.resize(examples);
  present_.clear();
  total_[0] = total_[1] = 0;
  kept_ = 0;
}

void PairPrefixes::push(std::uint32_t example, std::uint32_t channel, std::int64_t weight) {
  example_.push_back(example);
  weight_.push_back(channel == 0 ? weight : -weight);
  until_.push_back(until_.back() + weight_.back());
  if (!is_present_[example]) present_.push_back(example);
  is_present_[example] = 1;
  by_example_[example].weight[channel] += weight;
  total_[channel] += weight;
}

void PairPrefixes::sum(const std::vector<std::size_t>& marks) {
  const std::size_t n = example_.size(), examples = by_example_.size();
  // Else an example has too few pairs to gain anything, or going through the table costs more than the pairs.
  if (n < examples || n / 2 < present_.size()) return;
  std::vector<std::size_t> ends(marks);
  const std::size_t between = std::max(least_between, n / most_kept);
  for (std::size_t end = between; end < n; end += between) ends.push_back(end);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  kept_ = ends.size();
  if (sums_.size() < kept_) sums_.resize(kept_);
  std::vector<std::int64_t> weight(examples, 0);
  std::size_t i = 0;
  for (std::size_t k = 0; k < kept_; ++k) {
    for (; i < ends[k]; ++i) weight[example_[i]] += weight_[i];
    sums_[k].end = ends[k];
    sums_[k].weight = weight;
  }
}

const PairPrefixes::Codes& PairPrefixes::codes(const EncodedTable& table, std::uint32_t column) {
  if (codes_.empty()) codes_.resize(table.columns.size());
  Codes& out = codes_[column];
  if (!out.code.empty()) return out;
  out.code.resize(by_example_.size());
  read_codes(table, table.columns[column], out.code);
  out.usual = usual_of(out.code);
  const auto [least, most] = std::minmax_element(out.code.begin(), out.code.end());
  out.first = *least;
  out.last = *most;
  const auto usual = static_cast<std::uint8_t>(out.usual);
  out.others.reserve(out.code.size() - std::count(out.code.begin(), out.code.end(), usual));
  for (std::uint32_t row = 0; row < out.code.size(); ++row)
    if (out.code[row] != usual) out.others.push_back(row << 8 | out.code[row]);
  return out;
}

PairPrefixes::Range PairPrefixes::range(const Codes& codes) const {
  if (present_.size() == by_example_.size()) return {codes.first, codes.last};
  Range out{lane_codes, 0};
  const auto all_found = [&](std::uint32_t code) {
    out.first = std::min(out.first, code);
    out.last = std::max(out.last, code);
    return out.first == codes.first && out.last == codes.last;
  };
  const bool few_others = codes.others.size() < present_.size();
  for (std::uint32_t row : present_) {
    if (all_found(codes.code[row])) return out;
    if (few_others && codes.code[row] == codes.usual) break;
  }
  if (few_others)
    for (std::uint32_t other : codes.others)
      if (is_present_[other >> 8] && all_found(other & 0xff)) break;
  return out;
}

// The kept sums after about so many pairs.
const PairPrefixes::Sums* PairPrefixes::nearest(std::size_t end) const {
  if (kept_ == 0) return nullptr;
  const auto begin = sums_.begin(), last = begin + static_cast<std::ptrdiff_t>(kept_);
  const auto past =
      std::lower_bound(begin, last, end, [](const Sums& sums, std::size_t value) { return sums.end < value; });
  if (past == begin || (past != last && past->end - end < end - std::prev(past)->end)) return &*past;
  return &*std::prev(past);
}

template <class Add>
void PairPrefixes::add_pairs(const Codes& codes, std::size_t from, std::size_t end,
                             std::vector<std::int64_t>& sums, Add add) const {
  const std::uint8_t* code = codes.code.data();
  std::size_t i = from;
  if (end > from + many_pairs) {
    std::array<std::array<std::int64_t, lane_codes>, turns> in_turn{};
    for (; i + turns <= end; i += turns)
      for (std::size_t k = 0; k < turns; ++k) in_turn[k][code[example_[i + k]]] += weight_[i + k];
    for (const auto& part : in_turn)
      for (std::size_t c = 0; c < sums.size(); ++c) sums[c] = add(sums[c], part[c]);
  }
  for (; i < end; ++i) sums[code[example_[i]]] = add(sums[code[example_[i]]], weight_[i]);
}

void PairPrefixes::advance(const Codes& codes, std::size_t seen, std::size_t end,
                           std::vector<std::int64_t>& sums) const {
  const Sums* kept = nearest(end);
  const std::size_t rest = !kept ? 0 : kept->end < end ? end - kept->end : kept->end - end;
  std::size_t from = seen;
  if (kept && codes.others.size() + rest < end - seen) {
    from = kept->end;
    std::fill(sums.begin(), sums.end(), 0);
    for (std::uint32_t other : codes.others) sums[other & 0xff] += kept->weight[other >> 8];
    sums[codes.usual] = until_[from] - std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  }
  if (from < end) add_pairs(codes, from, end, sums, std::plus<>());
  else add_pairs(codes, end, from, sums, std::minus<>());
}

void PairPrefixes::sum_all(const Codes& codes, std::vector<std::int64_t>& sums) const {
  const std::size_t half = sums.size() / 2;
  std::fill(sums.begin(), sums.end(), 0);
  const auto add = [&](std::uint32_t row, std::uint32_t code) {
    sums[code] += by_example_[row].weight[0];
    sums[half + code] += by_example_[row].weight[1];
  };
  if (codes.others.size() >= present_.size()) {
    for (std::uint32_t row : present_) add(row, codes.code[row]);
    return;
  }
  for (std::uint32_t other : codes.others) add(other >> 8, other & 0xff);
  for (int c = 0; c < 2; ++c) {
    const auto from = sums.begin() + static_cast<std::ptrdiff_t>(c * half);
    const auto to = from + static_cast<std::ptrdiff_t>(half);
    from[codes.usual] = total_[c] - std::accumulate(from, to, std::int64_t{0});
  }
}

}  // namespace hardwood
