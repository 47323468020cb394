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

template <int Lanes, class Cell, class Weights>
void add_lanes(const std::uint64_t* words, RowSpan span, Weights weights, Cell* const* cells) {
  Cell* lane[Lanes];
  for (int k = 0; k < Lanes; ++k) lane[k] = cells[k];
  const auto add = [&](std::size_t i) {
    const std::uint32_t row = span.rows[i];
    const std::uint64_t word = words[row];
    const Cell weight = weights.of(row, i);
    for (int k = 0; k < Lanes; ++k) lane[k][(word >> (8 * k)) & 0xff] += weight;
  };
  std::size_t i = 0;
  for (; i + ahead < span.count; ++i) {
    prefetch(words + span.rows[i + ahead]);
    add(i);
  }
  for (; i < span.count; ++i) add(i);
}

template <class Cell, class Weights>
void add(const std::uint64_t* words, RowSpan span, Weights weights, int lanes, Cell* const* cells) {
  switch (lanes) {
    case 1:
      return add_lanes<1>(words, span, weights, cells);
    case 2:
      return add_lanes<2>(words, span, weights, cells);
    case 3:
      return add_lanes<3>(words, span, weights, cells);
    case 4:
      return add_lanes<4>(words, span, weights, cells);
    case 5:
      return add_lanes<5>(words, span, weights, cells);
    case 6:
      return add_lanes<6>(words, span, weights, cells);
    case 7:
      return add_lanes<7>(words, span, weights, cells);
    default:
      return add_lanes<8>(words, span, weights, cells);
  }
}

void add_counts(const std::uint64_t* words, RowSpan rows, int lanes, std::uint32_t* const* cells) {
  add(words, rows, Ones{}, lanes, cells);
}

void add_weights(const std::uint64_t* words, RowSpan rows, const std::int64_t* weights, int lanes,
                 std::int64_t* const* cells) {
  add(words, rows, Looked{weights}, lanes, cells);
}

void add_carried(const std::uint64_t* words, RowSpan rows, const std::int64_t* weights, int lanes,
                 std::int64_t* const* cells) {
  add(words, rows, Carried{weights}, lanes, cells);
}

void add_lane(const std::uint64_t* words, RowSpan span, const std::int64_t* weights, int shift,
              std::int64_t* cells) {
  std::size_t i = 0;
  for (; i + ahead < span.count; ++i) {
    prefetch(words + span.rows[i + ahead]);
    const std::uint32_t row = span.rows[i];
    cells[(words[row] >> shift) & 0xff] += weights[row];
  }
  for (; i < span.count; ++i) {
    const std::uint32_t row = span.rows[i];
    cells[(words[row] >> shift) & 0xff] += weights[row];
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
const HistogramKernels kernels{
    add_counts, add_weights, add_carried, add_lane, marginal<std::uint32_t>, marginal<std::int64_t>};

}  // namespace hardwood::HARDWOOD_ISA
