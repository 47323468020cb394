#include "histogram/histogram_kernels.hpp"

#include "base/portable.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

// Weight of a row: one, looked up, or beside the row's number.
struct Ones {
  static constexpr std::uint32_t of(std::uint32_t, std::size_t) { return 1; }
};
struct Looked {
  const std::int64_t* weights;
  std::int64_t of(std::uint32_t row, std::size_t) const { return weights[row]; }
};
struct Carried {
  const std::int64_t* weights;
  std::int64_t of(std::uint32_t, std::size_t i) const { return weights[i]; }
};

// The lanes' bytes are the lowest ones of the words, in order, or anywhere.
template <int Lanes, bool InOrder, class Cell, class Weights>
void add_lanes(const Words& words, RowSpan span, Weights weights, const TileLanes<Cell>& lanes) {
  Cell* lane[Lanes];
  int shift[Lanes];
  for (int k = 0; k < Lanes; ++k) {
    lane[k] = lanes.cells[k];
    shift[k] = InOrder ? 8 * k : lanes.shift[k];
  }
  const auto add = [&](std::size_t i) {
    const std::uint32_t row = span.rows[i];
    const std::uint64_t word = words[row];
    const Cell weight = weights.of(row, i);
    for (int k = 0; k < Lanes; ++k) lane[k][(word >> (InOrder ? 8 * k : shift[k])) & 0xff] += weight;
  };
  std::size_t i = 0;
  for (; i + ahead < span.count; ++i) {
    prefetch(words.at(span.rows[i + ahead]));
    add(i);
  }
  for (; i < span.count; ++i) add(i);
}

template <int Lanes, class Cell, class Weights>
void add_some(const Words& words, RowSpan span, Weights weights, const TileLanes<Cell>& lanes) {
  if (lanes.shift[Lanes - 1] == 8 * (Lanes - 1)) add_lanes<Lanes, true>(words, span, weights, lanes);
  else add_lanes<Lanes, false>(words, span, weights, lanes);
}

template <class Cell, class Weights>
void add(const Words& words, RowSpan span, Weights weights, const TileLanes<Cell>& lanes) {
  switch (lanes.count) {
    case 0:
      return;
    case 1:
      return add_some<1>(words, span, weights, lanes);
    case 2:
      return add_some<2>(words, span, weights, lanes);
    case 3:
      return add_some<3>(words, span, weights, lanes);
    case 4:
      return add_some<4>(words, span, weights, lanes);
    case 5:
      return add_some<5>(words, span, weights, lanes);
    case 6:
      return add_some<6>(words, span, weights, lanes);
    case 7:
      return add_some<7>(words, span, weights, lanes);
    default:
      return add_lanes<8, true>(words, span, weights, lanes);
  }
}

// Words that are looked at together.
constexpr std::size_t kept_rows = 128;
struct Numbers {
  std::uint32_t of[kept_rows];
  constexpr Numbers() : of{} {
    for (std::uint32_t i = 0; i < kept_rows; ++i) of[i] = i;
  }
};
constexpr Numbers numbers;

template <class Cell>
struct Beside {
  const Cell* weights;
  Cell of(std::uint32_t, std::size_t i) const { return weights[i]; }
};

// Which words are kept is no branch: near the edge of what is usual it could not be foreseen.
template <class Cell, class Weights>
Cell add_unusual_words(const Words& words, std::uint64_t usual, RowSpan span, Weights weights,
                       const TileLanes<Cell>& lanes) {
  std::uint64_t kept[kept_rows];
  Cell kept_weights[kept_rows], left_out = 0;
  for (std::size_t begin = 0; begin < span.count; begin += kept_rows) {
    const std::size_t end = begin + kept_rows < span.count ? begin + kept_rows : span.count;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (i + ahead < span.count) prefetch(words.at(span.rows[i + ahead]));
      const std::uint32_t row = span.rows[i];
      const std::uint64_t word = words[row];
      const auto weight = static_cast<Cell>(weights.of(row, i));
      kept[count] = word;
      kept_weights[count] = weight;
      count += word != usual ? 1 : 0;
      left_out += word != usual ? Cell{0} : weight;
    }
    add(Words{kept}, RowSpan{numbers.of, count}, Beside<Cell>{kept_weights}, lanes);
  }
  return left_out;
}

std::uint32_t add_unusual_counts(const Words& words, std::uint64_t usual, RowSpan rows,
                                 const TileLanes<std::uint32_t>& lanes) {
  return add_unusual_words(words, usual, rows, Ones{}, lanes);
}

std::int64_t add_unusual(const Words& words, std::uint64_t usual, RowSpan rows, const std::int64_t* weights,
                         const TileLanes<std::int64_t>& lanes) {
  return add_unusual_words(words, usual, rows, Carried{weights}, lanes);
}

void add_counts(const Words& words, RowSpan rows, const TileLanes<std::uint32_t>& lanes) {
  add(words, rows, Ones{}, lanes);
}

void add_weights(const Words& words, RowSpan rows, const std::int64_t* weights,
                 const TileLanes<std::int64_t>& lanes) {
  add(words, rows, Looked{weights}, lanes);
}

void add_carried(const Words& words, RowSpan rows, const std::int64_t* weights,
                 const TileLanes<std::int64_t>& lanes) {
  add(words, rows, Carried{weights}, lanes);
}

// With more digits than this, a cell is added where its digit says; with fewer, cells are compared with each
// digit, eight at a time (measured on bundles of 256 codes: they take as long at about 6 digits).
constexpr int most_compared = 6;

template <class Cell>
void marginal_by_digit(const Cell* const* cells, int channels, const std::uint8_t* digits, int codes,
                       int digit_count, Cell* const* out) {
  for (int c = 0; c < channels; ++c) {
    const Cell* from = cells[c];
    Cell even[256], odd[256];  // two sums a digit: neighbours often have the same one
    for (int d = 0; d < digit_count; ++d) even[d] = odd[d] = 0;
    int k = 0;
    for (; k + 2 <= codes; k += 2) {
      even[digits[k]] += from[k];
      odd[digits[k + 1]] += from[k + 1];
    }
    if (k < codes) even[digits[k]] += from[k];
    for (int d = 0; d < digit_count; ++d) out[c][d] = even[d] + odd[d];
  }
}

// Two channels share the comparison of the digits.
template <class Cell>
void marginal_of_two(const Cell* __restrict first, const Cell* __restrict second,
                     const std::uint8_t* __restrict digits, int codes, int digit_count, Cell* __restrict out1,
                     Cell* __restrict out2) {
  Cell total1 = 0, total2 = 0;
  for (int k = 0; k < codes; ++k) {
    total1 += first[k];
    total2 += second[k];
  }
  for (int d = 1; d < digit_count; ++d) {
    Cell sum1 = 0, sum2 = 0;
    for (int k = 0; k < codes; ++k) {
      const Cell mask = -static_cast<Cell>(digits[k] == d);
      sum1 += first[k] & mask;
      sum2 += second[k] & mask;
    }
    out1[d] = sum1;
    out2[d] = sum2;
    total1 -= sum1;
    total2 -= sum2;
  }
  out1[0] = total1;
  out2[0] = total2;
}

template <class Cell>
void marginal(const Cell* const* cells, int channels, const std::uint8_t* digits, int codes, int digit_count,
              Cell* const* out) {
  if (digit_count > most_compared) return marginal_by_digit(cells, channels, digits, codes, digit_count, out);
  int c = 0;
  for (; c + 2 <= channels; c += 2)
    marginal_of_two(cells[c], cells[c + 1], digits, codes, digit_count, out[c], out[c + 1]);
  if (c == channels) return;
  Cell total = 0;
  for (int k = 0; k < codes; ++k) total += cells[c][k];
  for (int d = 1; d < digit_count; ++d) {
    Cell sum = 0;
    for (int k = 0; k < codes; ++k) sum += cells[c][k] & -static_cast<Cell>(digits[k] == d);
    out[c][d] = sum;
    total -= sum;
  }
  out[c][0] = total;
}

}  // namespace

extern const HistogramKernels kernels;
const HistogramKernels kernels{add_counts,
                               add_weights,
                               add_carried,
                               add_unusual_counts,
                               add_unusual,
                               marginal<std::uint32_t>,
                               marginal<std::int64_t>};

}  // namespace hardwood::HARDWOOD_ISA
