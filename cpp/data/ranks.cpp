#include "data/ranks.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace hardwood {

namespace {

constexpr int digit_bits = 11;
constexpr int passes = 6;  // 66 bits
constexpr std::size_t radix = std::size_t{1} << digit_bits;
constexpr double table_span = 1 << 16;  // whole numbers within this span are ranked by table

struct Summary {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  bool whole = true;
  bool missing = false;
};

// One pass that decides how to rank. Infinity makes `smallest` or `largest` infinite.
Summary summarise(std::span<const double> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  int fractions = 0, nans = 0;
  for (double x : values) {
    low = x < low ? x : low;
    high = x > high ? x : high;
    nans |= x != x;
    // Adding and taking away 1.5 * 2^52 rounds to a whole number where |x| < 2^51.
    fractions |= (x + 0x1.8p52) - 0x1.8p52 != x && x == x;
  }
  Summary out;
  out.smallest = low;
  out.largest = high;
  out.whole = fractions == 0 && low > -0x1p51 && high < 0x1p51;
  out.missing = nans != 0;
  return out;
}

// Unsigned order of the key is the order of the number.
std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0.0 + 0.0 is 0.0
  return bits ^ ((0 - (bits >> 63)) | (std::uint64_t{1} << 63));
}

double value_of(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(key & sign ? key ^ sign : ~key);
}

Ranks rank_by_table(std::span<const double> values, const Summary& s, RankScratch& scratch) {
  const auto span = static_cast<std::size_t>(s.largest - s.smallest) + 1;
  auto& table = scratch.table;
  table.assign(span + 1, 0);  // the last place counts missing values
  const double base = s.smallest;
  const auto place = [&](double x) {
    return x == x ? static_cast<std::uint32_t>(static_cast<std::int32_t>(x - base))
                  : static_cast<std::uint32_t>(span);
  };
  auto& codes = scratch.codes;
  codes.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t p = place(values[i]);
    codes[i] = p;
    ++table[p];
  }
  Ranks ranks;
  ranks.has_missing = s.missing;
  for (std::size_t p = 0; p < span + (s.missing ? 1 : 0); ++p) {
    if (table[p] == 0) continue;
    if (p < span) ranks.codebook.push_back(base + static_cast<double>(p));
    ranks.frequency.push_back(table[p]);
    table[p] = static_cast<std::uint32_t>(ranks.frequency.size() - 1);
  }
  for (auto& code : codes) code = table[code];
  return ranks;
}

// Stable least-significant-digit radix sort of keys[0, n) with their row numbers; digits that are
// the same in all keys cost nothing.
void sort_keys(std::size_t n, RankScratch& s) {
  std::vector<std::array<std::uint32_t, radix>> counts(passes);
  for (auto& count : counts) count.fill(0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t key = s.keys[i];
    for (int p = 0; p < passes; ++p) ++counts[p][(key >> (p * digit_bits)) & (radix - 1)];
  }
  s.other_keys.resize(s.keys.size());
  s.other_order.resize(s.order.size());
  for (int p = 0; p < passes && n > 0; ++p) {
    auto& count = counts[p];
    const int shift = p * digit_bits;
    if (count[(s.keys[0] >> shift) & (radix - 1)] == n) continue;
    std::uint32_t total = 0;
    for (auto& c : count) {
      const std::uint32_t here = c;
      c = total;
      total += here;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t key = s.keys[i];
      const std::uint32_t to = count[(key >> shift) & (radix - 1)]++;
      s.other_keys[to] = key;
      s.other_order[to] = s.order[i];
    }
    s.keys.swap(s.other_keys);
    s.order.swap(s.other_order);
  }
}

// scratch.keys/order hold the n present rows; `all` rows in total. `emit(key)` takes each distinct key.
template <class Emit>
void rank_sorted(std::size_t n, std::size_t all, Ranks& ranks, RankScratch& s, Emit emit) {
  sort_keys(n, s);
  s.codes.resize(all);
  std::size_t begin = 0;
  while (begin < n) {
    const std::uint64_t key = s.keys[begin];
    const auto code = static_cast<std::uint32_t>(ranks.frequency.size());
    std::size_t end = begin;
    while (end < n && s.keys[end] == key) s.codes[s.order[end++]] = code;
    emit(key);
    ranks.frequency.push_back(static_cast<std::uint32_t>(end - begin));
    begin = end;
  }
}

}  // namespace

Ranks rank_doubles(std::span<const double> values, RankScratch& s) {
  const Summary summary = summarise(values);
  const bool any = summary.smallest <= summary.largest;
  if (any && (std::isinf(summary.smallest) || std::isinf(summary.largest)))
    throw std::invalid_argument("infinite");
  if (any && summary.whole && summary.largest - summary.smallest < table_span)
    return rank_by_table(values, summary, s);

  Ranks ranks;
  ranks.has_missing = summary.missing;
  s.keys.resize(values.size());
  s.order.resize(values.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    s.keys[n] = key_of(values[i]);
    s.order[n] = static_cast<std::uint32_t>(i);
    n += values[i] == values[i] ? 1 : 0;
  }
  rank_sorted(n, values.size(), ranks, s,
              [&](std::uint64_t key) { ranks.codebook.push_back(value_of(key)); });
  if (ranks.has_missing) {
    const auto code = static_cast<std::uint32_t>(ranks.codebook.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != values[i]) s.codes[i] = code;
    ranks.frequency.push_back(static_cast<std::uint32_t>(values.size() - n));
  }
  return ranks;
}

Ranks rank_keys(std::span<const std::uint64_t> keys, const std::uint8_t* missing,
                std::uint64_t flip, RankScratch& s) {
  Ranks ranks;
  s.keys.resize(keys.size());
  s.order.resize(keys.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    s.keys[n] = keys[i];
    s.order[n] = static_cast<std::uint32_t>(i);
    n += missing && missing[i] ? 0 : 1;
  }
  rank_sorted(n, keys.size(), ranks, s,
              [&](std::uint64_t key) { ranks.wide_codebook.push_back(key ^ flip); });
  if (n < keys.size()) {
    ranks.has_missing = true;
    const auto code = static_cast<std::uint32_t>(ranks.wide_codebook.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (missing[i]) s.codes[i] = code;
    ranks.frequency.push_back(static_cast<std::uint32_t>(keys.size() - n));
  }
  return ranks;
}

Ranks rank_categories(std::span<const std::int32_t> values, std::uint32_t categories,
                      RankScratch& s) {
  Ranks ranks;
  ranks.frequency.assign(categories, 0);
  s.codes.resize(values.size());
  std::uint32_t missing = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int32_t value = values[i];
    if (value >= static_cast<std::int32_t>(categories))
      throw std::invalid_argument("category code out of range");
    s.codes[i] = value < 0 ? categories : static_cast<std::uint32_t>(value);
    if (value < 0) ++missing;
    else ++ranks.frequency[value];
  }
  ranks.has_missing = missing > 0;
  if (missing) ranks.frequency.push_back(missing);
  return ranks;
}

}  // namespace hardwood
