#include "data/row_kernels.hpp"

#include <cstring>

#include "base/portable.hpp"
#include "data/byte_matcher.hpp"
#include "data/compressing.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

struct OfWords {
  Words words;
  int shift;
  std::uint8_t operator()(std::uint32_t row) const { return static_cast<std::uint8_t>(words[row] >> shift); }
};

struct OfBytes {
  const std::uint8_t* bytes;
  std::uint8_t operator()(std::uint32_t row) const { return bytes[row]; }
};

// Eight branches at a time: how many are 1, and where a row must be asked.
constexpr std::uint64_t ones = 0x0101010101010101, asks = ask_row * ones;

// Rows are looked up first, without a branch of the program; then those that must be asked are, and branches
// counted.
constexpr std::uint32_t rows_looked_up = 1024;

template <class ByteOf>
std::uint32_t mark_by(const std::uint32_t* rows, std::uint32_t count, const RowDivision& division,
                      std::uint8_t* branch, ByteOf byte) {
  std::uint32_t right = 0;
  const auto settle = [&](std::uint32_t i) {
    if (branch[i] == ask_row) branch[i] = division.ask(division.context, rows[i]);
    right += branch[i];
  };
  for (std::uint32_t begin = 0; begin < count; begin += rows_looked_up) {
    const std::uint32_t end = begin + rows_looked_up < count ? begin + rows_looked_up : count;
    for (std::uint32_t i = begin; i < end; ++i) branch[i] = division.branch[byte(rows[i])];
    std::uint32_t i = begin;
    for (; i + 8 <= end; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, branch + i, 8);
      if ((eight & asks) == 0) right += static_cast<std::uint32_t>(count_bits(eight & ones));
      else
        for (std::uint32_t k = i; k < i + 8; ++k) settle(k);
    }
    for (; i < end; ++i) settle(i);
  }
  return right;
}

std::uint32_t mark(const std::uint32_t* rows, std::uint32_t count, const RowDivision& division,
                   std::uint8_t* branch) {
  const RowBytes& of = division.of;
  if (of.words.first) return mark_by(rows, count, division, branch, OfWords{of.words, of.shift});
  return mark_by(rows, count, division, branch, OfBytes{of.bytes});
}

// While both branches have room for a whole block, what is written beyond its rows is written over later.
template <bool carried>
void spread_run(const RowRun& run, const std::uint8_t* branch, RowPlaces left, RowPlaces right) {
  std::uint32_t to_left = 0, to_right = 0, i = 0;
#ifdef __AVX2__
  constexpr std::uint32_t step = 8;
  for (; i + step <= run.count && to_left + step <= left.count && to_right + step <= right.count; i += step) {
    const __m128i marks = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(branch + i));
    const unsigned lefts =  // a branch is 0 or 1
        static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(marks, _mm_setzero_si128()))) & 0xff;
    const unsigned rights = lefts ^ 0xff;
    compress_rows(run.rows + i, lefts, left.rows + to_left);
    compress_rows(run.rows + i, rights, right.rows + to_right);
    if constexpr (carried) {
      compress_weights(run.weights + i, lefts, left.weights + to_left);
      compress_weights(run.weights + i, rights, right.weights + to_right);
    }
    const auto moved = static_cast<std::uint32_t>(count_bits(rights));
    to_left += step - moved;
    to_right += moved;
  }
#endif
  for (; to_left < left.count && to_right < right.count; ++i) {
    left.rows[to_left] = right.rows[to_right] = run.rows[i];
    if constexpr (carried) left.weights[to_left] = right.weights[to_right] = run.weights[i];
    to_left += 1 - branch[i];
    to_right += branch[i];
  }
  const std::uint32_t last = to_left < left.count ? to_left : to_right;
  const RowPlaces& to = to_left < left.count ? left : right;
  const std::size_t rest = run.count - i;
  std::memcpy(to.rows + last, run.rows + i, rest * sizeof(*run.rows));
  if constexpr (carried) std::memcpy(to.weights + last, run.weights + i, rest * sizeof(*run.weights));
}

void spread(const RowRun& run, const std::uint8_t* branch, RowPlaces left, RowPlaces right) {
  if (run.weights) spread_run<true>(run, branch, left, right);
  else spread_run<false>(run, branch, left, right);
}

std::size_t pick(const std::uint32_t* rows, std::size_t count, const std::uint8_t* bytes,
                 const std::uint8_t* wanted, std::uint32_t* out) {
  std::size_t found = 0, i = 0;
#ifdef __AVX2__
  constexpr std::size_t step = 8;
  for (; i + step + ahead <= count; i += step) {
    unsigned mask = 0;
    for (std::size_t j = 0; j < step; ++j) {
      prefetch(bytes + rows[i + j + ahead]);
      mask |= static_cast<unsigned>(wanted[bytes[rows[i + j]]]) << j;
    }
    compress_rows(rows + i, mask, out + found);
    found += static_cast<std::size_t>(count_bits(mask));
  }
#endif
  for (; i < count; ++i) {
    out[found] = rows[i];
    found += wanted[bytes[rows[i]]];
  }
  return found;
}

// So many at a time, most often more than there are: which of the writes count is no branch.
void list_bits(std::uint64_t bits, std::size_t first, RowList& to) {
  while (bits != 0) {
    std::uint32_t* const out = to.rows + to.count;
    const auto count = static_cast<std::size_t>(count_bits(bits));
    for (std::size_t i = 0; i < scan_room; ++i) {
      out[i] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(lowest_bit(bits));
      bits &= bits - 1;
    }
    to.count += count < scan_room ? count : scan_room;
  }
}

void scan(const std::uint8_t* bytes, std::size_t rows, const std::uint8_t* wanted, std::span<RowList> classes) {
  const Matcher match(wanted);
  std::size_t begin = 0;
  for (; begin + 64 <= rows; begin += 64) {
    const std::uint64_t found = match(bytes + begin);
    for (RowList& each : classes) list_bits(found & each.bits[begin / 64], begin, each);
  }
  std::uint64_t found = 0;
  for (std::size_t row = begin; row < rows; ++row) found |= std::uint64_t{wanted[bytes[row]]} << (row - begin);
  if (begin < rows)
    for (RowList& each : classes) list_bits(found & each.bits[begin / 64], begin, each);
}

}  // namespace

extern const RowKernels row_table;
const RowKernels row_table{mark, spread, pick, scan, scanned_a_picked};

}  // namespace hardwood::HARDWOOD_ISA
