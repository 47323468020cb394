#include "data/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "data/keys.hpp"

namespace hardwood {

namespace {

constexpr double table_span = 1 << 16;   // whole numbers within this span are ranked by table
constexpr std::size_t table_copies = 4;  // equal neighbours count in different copies, without waiting
constexpr std::size_t few_rows = 192;    // so few are sorted by comparison

struct Summary {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  bool whole = true;
  bool missing = false;
};

// One pass that decides how to rank. Infinity makes `smallest` or `largest` infinite.
Summary summarise(std::span<const double> values) {
  constexpr std::size_t strands = 8;  // independent, so that they run side by side
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, strands> low, high, nans{}, fractions{};
  low.fill(infinity);
  high.fill(-infinity);
  const auto look = [&](double x, std::size_t k) {
    low[k] = x < low[k] ? x : low[k];
    high[k] = x > high[k] ? x : high[k];
    nans[k] = x == x ? nans[k] : 1.0;
    // Adding and taking away 1.5 * 2^52 rounds to a whole number where |x| < 2^51.
    const double rounded = (x + 0x1.8p52) - 0x1.8p52;
    fractions[k] = rounded != x ? x == x ? 1.0 : fractions[k] : fractions[k];
  };
  std::size_t i = 0;
  for (; i + strands <= values.size(); i += strands)
    for (std::size_t k = 0; k < strands; ++k) look(values[i + k], k);
  for (; i < values.size(); ++i) look(values[i], 0);
  Summary out;
  for (std::size_t k = 0; k < strands; ++k) {
    out.smallest = std::min(out.smallest, low[k]);
    out.largest = std::max(out.largest, high[k]);
    out.missing |= nans[k] != 0;
    out.whole &= fractions[k] == 0;
  }
  out.whole &= out.smallest > -0x1p51 && out.largest < 0x1p51;
  return out;
}

Ranks rank_by_table(std::span<const double> values, const Summary& s, RankScratch& scratch) {
  const auto span = static_cast<std::size_t>(s.largest - s.smallest) + 1;
  const std::size_t size = span + 1;  // the last place counts missing values
  const std::size_t copies = size <= 4096 ? table_copies : 1;
  auto& table = scratch.table;
  table.assign(size * copies, 0);
  const double base = s.smallest;
  auto& codes = scratch.codes;
  codes.resize(values.size());
  if (s.missing) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = values[i];
      codes[i] = x == x ? static_cast<std::uint32_t>(static_cast<std::int32_t>(x - base))
                        : static_cast<std::uint32_t>(span);
    }
  } else {
    for (std::size_t i = 0; i < values.size(); ++i)
      codes[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(values[i] - base));
  }
  const std::size_t mask = copies - 1;
  for (std::size_t i = 0; i < values.size(); ++i) ++table[(i & mask) * size + codes[i]];
  for (std::size_t k = 1; k < copies; ++k)
    for (std::size_t p = 0; p < size; ++p) table[p] += table[k * size + p];
  Ranks ranks;
  ranks.has_missing = s.missing;
  bool moved = false;
  for (std::size_t p = 0; p < size; ++p) {
    if (table[p] == 0) continue;
    if (p < span) ranks.codebook.push_back(base + static_cast<double>(p));
    ranks.frequency.push_back(table[p]);
    table[p] = static_cast<std::uint32_t>(ranks.frequency.size() - 1);
    moved |= table[p] != p;
  }
  if (moved)
    for (auto& code : codes) code = table[code];
  return ranks;
}

// An item to sort: the upper bits of a key, and below them the row it belongs to. Up to 2^24 rows leave
// room for 40 bits of the key, which tell almost all values apart.
struct Packing {
  explicit Packing(std::size_t rows) : row_bits(rows <= (std::size_t{1} << 24) ? 24 : 32) {}
  int row_bits;
  std::uint64_t row_mask() const { return (std::uint64_t{1} << row_bits) - 1; }
  std::uint64_t upper(std::uint64_t key, std::uint64_t row) const { return (key & ~row_mask()) | row; }
  std::uint64_t lower(std::uint64_t key, std::uint64_t row) const {
    return (key & row_mask()) << (64 - row_bits) | row;  // all the bits that `upper` leaves out
  }
  std::uint32_t row(std::uint64_t item) const { return static_cast<std::uint32_t>(item & row_mask()); }
};

// Sorts sorted[begin, end) by what stands above the row: stable, digit by digit; digits that are the
// same in all cost only their count.
void sort_items(std::size_t begin, std::size_t end, const Packing& packing, RankScratch& s) {
  const std::size_t n = end - begin;
  if (n < few_rows) {
    std::sort(s.sorted.begin() + begin, s.sorted.begin() + end);
    return;
  }
  if (s.other.size() < s.sorted.size()) s.other.resize(s.sorted.size());
  const int first_digit = packing.row_bits / 8;
  std::array<std::array<std::uint32_t, 256>, 8> counts{};
  for (std::size_t i = begin; i < end; ++i)
    for (int p = 3; p < 8; ++p) ++counts[p][(s.sorted[i] >> (8 * p)) & 0xff];
  std::uint64_t* from = s.sorted.data() + begin;
  std::uint64_t* to = s.other.data() + begin;
  for (int p = first_digit; p < 8; ++p) {
    const int shift = 8 * p;
    auto& count = counts[p];
    if (count[(from[0] >> shift) & 0xff] == n) continue;
    std::uint32_t total = 0;
    for (auto& c : count) {
      const std::uint32_t here = c;
      c = total;
      total += here;
    }
    for (std::size_t i = 0; i < n; ++i) to[count[(from[i] >> shift) & 0xff]++] = from[i];
    std::swap(from, to);
  }
  if (from != s.sorted.data() + begin) std::copy(from, from + n, to);
}

// Codes of the `present` rows in scratch.sorted, packed with the upper bits of their keys, which lie at
// `keys`, one a row. key_of_row(row) is the whole key; emit(key) takes each distinct one, ascending.
template <class KeyOfRow, class Emit>
void rank_sorted(std::size_t present, std::size_t all, Ranks& ranks, RankScratch& s,
                 const void* keys, KeyOfRow key_of_row, Emit emit) {
  constexpr std::size_t ahead = 24;
  const Packing packing(all);
  s.sorted.resize(present);
  s.codes.resize(all);
  sort_items(0, present, packing, s);
  for (std::size_t begin = 0; begin < present;) {
    if (begin + ahead < present) {
      const std::uint32_t row = packing.row(s.sorted[begin + ahead]);
      __builtin_prefetch(static_cast<const std::uint64_t*>(keys) + row);
      __builtin_prefetch(&s.codes[row], 1);
    }
    std::size_t end = begin + 1;
    const std::uint64_t upper = s.sorted[begin] >> packing.row_bits;
    while (end < present && s.sorted[end] >> packing.row_bits == upper) ++end;
    if (end - begin > 1) {  // equal upper bits: the lower ones decide
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t row = packing.row(s.sorted[i]);
        s.sorted[i] = packing.lower(key_of_row(row), row);
      }
      sort_items(begin, end, packing, s);
    }
    for (std::size_t i = begin; i < end;) {
      const std::uint64_t key = key_of_row(packing.row(s.sorted[i]));
      const auto code = static_cast<std::uint32_t>(ranks.frequency.size());
      const std::size_t first = i;
      for (; i < end; ++i) {
        const std::uint32_t row = packing.row(s.sorted[i]);
        if (i > first && key_of_row(row) != key) break;
        s.codes[row] = code;
      }
      emit(key);
      ranks.frequency.push_back(static_cast<std::uint32_t>(i - first));
    }
    begin = end;
  }
}

// Rows without a value get the last code.
template <class IsMissing>
void rank_missing(std::size_t values, std::size_t rows, std::size_t present, Ranks& ranks,
                  RankScratch& s, IsMissing is_missing) {
  if (present == rows) return;
  ranks.has_missing = true;
  for (std::size_t i = 0; i < rows; ++i)
    if (is_missing(i)) s.codes[i] = static_cast<std::uint32_t>(values);
  ranks.frequency.push_back(static_cast<std::uint32_t>(rows - present));
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
  s.sorted.resize(values.size());
  const Packing packing(values.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    s.sorted[n] = packing.upper(key_of(values[i]), i);
    n += values[i] == values[i] ? 1 : 0;
  }
  rank_sorted(n, values.size(), ranks, s, values.data(),
              [&](std::uint32_t row) { return key_of(values[row]); },
              [&](std::uint64_t key) { ranks.codebook.push_back(value_of(key)); });
  rank_missing(ranks.codebook.size(), values.size(), n, ranks, s,
               [&](std::size_t i) { return values[i] != values[i]; });
  return ranks;
}

Ranks rank_keys(std::span<const std::uint64_t> keys, const std::uint8_t* missing,
                std::uint64_t flip, RankScratch& s) {
  Ranks ranks;
  s.sorted.resize(keys.size());
  const Packing packing(keys.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    s.sorted[n] = packing.upper(keys[i], i);
    n += missing && missing[i] ? 0 : 1;
  }
  rank_sorted(n, keys.size(), ranks, s, keys.data(), [&](std::uint32_t row) { return keys[row]; },
              [&](std::uint64_t key) { ranks.wide_codebook.push_back(key ^ flip); });
  rank_missing(ranks.wide_codebook.size(), keys.size(), n, ranks, s,
               [&](std::size_t i) { return missing[i] != 0; });
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
