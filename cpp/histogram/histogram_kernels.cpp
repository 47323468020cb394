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

// Lists are asked for so many rows ahead: each is a cache line or more.
constexpr std::size_t lists_ahead = 8;

template <class Cell, class Weights>
void add_listed(const ListsView& lists, RowSpan span, Weights weights, Cell* cells) {
  constexpr std::uint32_t together = UnusualLists::together;
  const auto list = [&](std::uint32_t number) { return lists.list + std::size_t{together} * number; };
  for (std::size_t i = 0; i < span.count; ++i) {
    const std::uint32_t row = span.rows[i];
    if (i + lists_ahead < span.count) prefetch(list(lists.begin[span.rows[i + lists_ahead]]));
    const Cell weight = weights.of(row, i);
    const std::uint16_t* const end = list(lists.begin[row + 1]);
    for (const std::uint16_t* place = list(lists.begin[row]); place < end; place += together)
      for (std::uint32_t k = 0; k < together; ++k) cells[place[k]] += weight;
  }
}

template <class Cell>
void set_usual(const ListedLane* lanes, std::size_t count, Cell total, Cell* cells) {
  for (std::size_t l = 0; l < count; ++l) {
    if (lanes[l].codes == 0) continue;
    Cell* const own = cells + lanes[l].place;
    own[lanes[l].usual] = 0;
    Cell others = 0;
    for (std::uint32_t code = 0; code < lanes[l].codes; ++code) others += own[code];
    own[lanes[l].usual] = total - others;
  }
}

void add_listed_counts(const ListsView& lists, RowSpan rows, std::uint32_t* cells) {
  add_listed(lists, rows, Ones{}, cells);
}

void add_listed_weights(const ListsView& lists, RowSpan rows, const std::int64_t* weights,
                        std::int64_t* cells) {
  add_listed(lists, rows, Looked{weights}, cells);
}

void add_listed_carried(const ListsView& lists, RowSpan rows, const std::int64_t* weights,
                        std::int64_t* cells) {
  add_listed(lists, rows, Carried{weights}, cells);
}

void usual_counts(const ListedLane* lanes, std::size_t count, std::uint32_t total, std::uint32_t* cells) {
  set_usual(lanes, count, total, cells);
}

void usual_weights(const ListedLane* lanes, std::size_t count, std::int64_t total, std::int64_t* cells) {
  set_usual(lanes, count, total, cells);
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
const HistogramKernels kernels{
    add_counts,         add_weights,  add_carried,   add_listed_counts,       add_listed_weights,
    add_listed_carried, usual_counts, usual_weights, marginal<std::uint32_t>, marginal<std::int64_t>};

}  // namespace hardwood::HARDWOOD_ISA
