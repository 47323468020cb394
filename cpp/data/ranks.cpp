#include "data/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "data/keys.hpp"

namespace hardwood {

namespace {

constexpr double table_span = 1 << 16;   // whole numbers within this span are ranked by table
constexpr std::size_t table_copies = 4;  // equal neighbours count in different copies, without waiting

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

// Keys are parted into buckets that fit the cache, and each bucket is sorted there: however many rows there
// are, every pass over all of them reads and writes in order, or in as many streams as there are buckets.
class KeyRanking {
 public:
  KeyRanking(std::size_t rows, Ranks& ranks, RankScratch& scratch) : rows_(rows), ranks_(ranks), s_(scratch) {}

  // key_at(row) and is_missing(row). Codes and distinct keys are left in the scratch.
  template <class KeyAt, class IsMissing>
  void run(KeyAt key_at, IsMissing is_missing) {
    choose_bounds(key_at, is_missing);
    part(key_at, is_missing);
    s_.distinct.clear();
    s_.frequency.clear();
    for (std::size_t b = 0; b + 1 < begin_.size(); ++b) rank_bucket(begin_[b], begin_[b + 1]);
    const auto values = static_cast<std::uint32_t>(s_.frequency.size());
    ranks_.has_missing = begin_.back() < rows_;
    if (ranks_.has_missing) s_.frequency.push_back(static_cast<std::uint32_t>(rows_ - begin_.back()));
    ranks_.frequency.assign(s_.frequency.begin(), s_.frequency.end());
    s_.codes.resize(rows_);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::uint16_t b = s_.bucket[i];
      s_.codes[i] = b == missing_bucket ? values : static_cast<std::uint32_t>(s_.keys[next[b]++]);
    }
  }

 private:
  static constexpr std::size_t bucket_rows = 4096, most_buckets = 2048, samples_a_bucket = 8;
  static constexpr std::size_t together = 16;  // searches that go step by step, so that none waits for itself
  static constexpr std::uint16_t missing_bucket = 0xffff;

  // Upper ends of all buckets but the last, from a sample. A key that is drawn again and again has a bucket
  // of its own, which need not be sorted.
  template <class KeyAt, class IsMissing>
  void choose_bounds(KeyAt key_at, IsMissing is_missing) {
    const std::size_t buckets = std::clamp<std::size_t>(rows_ / bucket_rows, 1, most_buckets);
    std::vector<std::uint64_t> sample;
    const std::size_t step = std::max<std::size_t>(1, rows_ / (buckets * samples_a_bucket));
    for (std::size_t i = 0; buckets > 1 && i < rows_; i += step)
      if (!is_missing(i)) sample.push_back(key_at(i));
    std::sort(sample.begin(), sample.end());
    for (std::size_t b = 1; b < buckets && !sample.empty(); ++b) {
      const std::uint64_t bound = sample[b * sample.size() / buckets];
      if (bounds_.empty() || bound > bounds_.back()) bounds_.push_back(bound);
      else if (bound > 0 && (bounds_.size() < 2 || bounds_[bounds_.size() - 2] < bound - 1))
        bounds_.insert(bounds_.end() - 1, bound - 1);
    }
    ladder_ = std::bit_ceil(bounds_.size() + 1);
    bounds_.resize(ladder_, ~std::uint64_t{0});
  }

  // Each row's bucket, and the keys bucket by bucket, in the order of their rows.
  template <class KeyAt, class IsMissing>
  void part(KeyAt key_at, IsMissing is_missing) {
    s_.bucket.resize(rows_);
    std::vector<std::size_t> count(ladder_ + 1, 0);
    for (std::size_t first = 0; first < rows_; first += together) {
      const std::size_t size = std::min(together, rows_ - first);
      std::uint64_t key[together];
      std::uint32_t place[together] = {};
      for (std::size_t i = 0; i < size; ++i) key[i] = key_at(first + i);
      for (auto half = static_cast<std::uint32_t>(ladder_ / 2); half; half /= 2)
        for (std::size_t i = 0; i < size; ++i)
          place[i] += half & (0 - static_cast<std::uint32_t>(bounds_[place[i] + half - 1] < key[i]));
      for (std::size_t i = 0; i < size; ++i) {
        const bool missing = is_missing(first + i);
        s_.bucket[first + i] = missing ? missing_bucket : static_cast<std::uint16_t>(place[i]);
        ++count[missing ? ladder_ : place[i]];
      }
    }
    begin_.assign(ladder_ + 1, 0);
    for (std::size_t b = 0; b < ladder_; ++b) begin_[b + 1] = begin_[b] + count[b];
    s_.keys.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < rows_; ++i)
      if (s_.bucket[i] != missing_bucket) s_.keys[next[s_.bucket[i]]++] = key_at(i);
  }

  // Puts the code of every key of a bucket in its place.
  void rank_bucket(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    std::uint64_t* keys = s_.keys.data() + begin;
    const std::size_t n = end - begin;
    const auto [low, high] = std::minmax_element(keys, keys + n);
    const std::uint64_t base = *low, range = *high - *low;
    if (range == 0) {
      std::fill_n(keys, n, s_.frequency.size());
      s_.distinct.push_back(base);
      s_.frequency.push_back(static_cast<std::uint32_t>(n));
      return;
    }
    const RankItem* sorted = sort_bucket(keys, n, base, range);
    for (std::size_t i = 0; i < n;) {
      const std::uint64_t key = sorted[i].key;
      const std::size_t first = i;
      for (; i < n && sorted[i].key == key; ++i) keys[sorted[i].place] = s_.frequency.size();
      s_.distinct.push_back(base + key);
      s_.frequency.push_back(static_cast<std::uint32_t>(i - first));
    }
  }

  // By the upper 16 bits that differ, byte by byte; the few that agree in them by comparison.
  const RankItem* sort_bucket(const std::uint64_t* keys, std::size_t n, std::uint64_t base,
                              std::uint64_t range) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(range)) - 16);
    if (s_.items.size() < n) s_.items.resize(n);
    if (s_.others.size() < n) s_.others.resize(n);
    std::array<std::uint32_t, 256> low{}, high{};
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t digits = (keys[i] - base) >> shift;
      ++low[digits & 0xff];
      ++high[digits >> 8];
    }
    std::exclusive_scan(low.begin(), low.end(), low.begin(), 0u);
    std::exclusive_scan(high.begin(), high.end(), high.begin(), 0u);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t key = keys[i] - base;
      s_.items[low[(key >> shift) & 0xff]++] = {key, static_cast<std::uint32_t>(i)};
    }
    for (std::size_t i = 0; i < n; ++i) s_.others[high[s_.items[i].key >> shift >> 8]++] = s_.items[i];
    RankItem* sorted = s_.others.data();
    for (std::size_t i = 1; shift && i < n; ++i) {
      if (sorted[i - 1].key <= sorted[i].key) continue;
      const std::uint64_t digits = sorted[i].key >> shift;
      std::size_t first = i, last = i + 1;
      while (first > 0 && sorted[first - 1].key >> shift == digits) --first;
      while (last < n && sorted[last].key >> shift == digits) ++last;
      std::sort(sorted + first, sorted + last,
                [](const RankItem& a, const RankItem& b) { return a.key < b.key; });
      i = last - 1;
    }
    return sorted;
  }

  std::size_t rows_;
  Ranks& ranks_;
  RankScratch& s_;
  std::size_t ladder_ = 1;
  std::vector<std::uint64_t> bounds_;
  std::vector<std::size_t> begin_;
};

}  // namespace

Ranks rank_doubles(std::span<const double> values, RankScratch& s) {
  const Summary summary = summarise(values);
  const bool any = summary.smallest <= summary.largest;
  if (any && (std::isinf(summary.smallest) || std::isinf(summary.largest)))
    throw std::invalid_argument("infinite");
  if (any && summary.whole && summary.largest - summary.smallest < table_span)
    return rank_by_table(values, summary, s);

  Ranks ranks;
  KeyRanking(values.size(), ranks, s)
      .run([&](std::size_t i) { return key_of(values[i]); },
           [&](std::size_t i) { return values[i] != values[i]; });
  ranks.codebook.resize(s.distinct.size());
  std::transform(s.distinct.begin(), s.distinct.end(), ranks.codebook.begin(), value_of);
  return ranks;
}

Ranks rank_keys(std::span<const std::uint64_t> keys, const std::uint8_t* missing, std::uint64_t flip,
                RankScratch& s) {
  Ranks ranks;
  KeyRanking(keys.size(), ranks, s)
      .run([&](std::size_t i) { return keys[i]; }, [&](std::size_t i) { return missing && missing[i]; });
  ranks.wide_codebook.resize(s.distinct.size());
  std::transform(s.distinct.begin(), s.distinct.end(), ranks.wide_codebook.begin(),
                 [&](std::uint64_t key) { return key ^ flip; });
  return ranks;
}

Ranks rank_categories(std::span<const std::int32_t> values, std::uint32_t categories, RankScratch& s) {
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
