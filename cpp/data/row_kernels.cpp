#include "data/row_kernels.hpp"

#ifdef __AVX512VL__
#include <immintrin.h>
#endif

#include "base/portable.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

struct OfWords {
  const std::uint64_t* words;
  int shift;
  std::uint8_t operator()(std::uint32_t row) const { return static_cast<std::uint8_t>(words[row] >> shift); }
  void fetch(std::uint32_t row) const { prefetch(words + row); }
};

struct OfBytes {
  const std::uint8_t* bytes;
  std::uint8_t operator()(std::uint32_t row) const { return bytes[row]; }
  void fetch(std::uint32_t row) const { prefetch(bytes + row); }
};

template <class ByteOf>
std::uint32_t branch_of(ByteOf byte, const RowDivision& division, std::uint32_t row) {
  const std::uint8_t branch = division.branch[byte(row)];
  return branch == ask_row ? division.ask(division.context, row) : branch;
}

template <bool carried, class ByteOf>
RowEnds divide_one_by_one(const RowArrays& arrays, std::uint32_t begin, std::uint32_t end, RowEnds ends,
                          const RowDivision& division, ByteOf byte) {
  std::uint32_t left = ends.left, right = ends.right;
  const auto move = [&](std::uint32_t i) {
    const std::uint32_t row = arrays.rows[i];
    const std::uint32_t to_right = branch_of(byte, division, row);
    arrays.rows[left] = row;
    arrays.scratch[right] = row;
    if constexpr (carried) {
      const std::int64_t weight = arrays.weights[i];
      arrays.weights[left] = weight;
      arrays.weight_scratch[right] = weight;
    }
    left += 1 - to_right;
    right += to_right;
  };
  std::uint32_t i = begin;
  for (; i + ahead < end; ++i) {
    byte.fetch(arrays.rows[i + ahead]);
    move(i);
  }
  for (; i < end; ++i) move(i);
  return {left, right};
}

#ifdef __AVX512VL__

// Eight rows at a time: what is written beyond the rows of a branch lies before the next rows to be read.
template <bool carried, class ByteOf>
RowEnds divide_rows(const RowArrays& arrays, std::uint32_t begin, std::uint32_t end, RowEnds ends,
                    const RowDivision& division, ByteOf byte) {
  constexpr std::uint32_t step = 8;
  std::uint32_t left = ends.left, right = ends.right, i = begin;
  for (; i + step + ahead <= end; i += step) {
    const std::uint32_t* rows = arrays.rows + i;
    unsigned mask = 0, asked = 0;
    for (std::uint32_t j = 0; j < step; ++j) {
      byte.fetch(rows[j + ahead]);
      const unsigned branch = division.branch[byte(rows[j])];
      mask |= (branch & 1) << j;
      asked |= branch;
    }
    if (asked & ask_row) {
      mask = 0;
      for (std::uint32_t j = 0; j < step; ++j) mask |= branch_of(byte, division, rows[j]) << j;
    }
    const auto to_right = static_cast<__mmask8>(mask), to_left = static_cast<__mmask8>(~mask);
    const auto at = [](auto* place) { return reinterpret_cast<__m256i*>(place); };
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows));
    if constexpr (carried) {
      const __m512i weights = _mm512_loadu_si512(arrays.weights + i);
      _mm512_storeu_si512(arrays.weights + left, _mm512_maskz_compress_epi64(to_left, weights));
      _mm512_storeu_si512(arrays.weight_scratch + right, _mm512_maskz_compress_epi64(to_right, weights));
    }
    _mm256_storeu_si256(at(arrays.rows + left), _mm256_maskz_compress_epi32(to_left, block));
    _mm256_storeu_si256(at(arrays.scratch + right), _mm256_maskz_compress_epi32(to_right, block));
    const auto moved = static_cast<std::uint32_t>(__builtin_popcount(mask));
    left += step - moved;
    right += moved;
  }
  return divide_one_by_one<carried>(arrays, i, end, {left, right}, division, byte);
}

#else

template <bool carried, class ByteOf>
RowEnds divide_rows(const RowArrays& arrays, std::uint32_t begin, std::uint32_t end, RowEnds ends,
                    const RowDivision& division, ByteOf byte) {
  return divide_one_by_one<carried>(arrays, begin, end, ends, division, byte);
}

#endif

template <class ByteOf>
RowEnds divide_by(const RowArrays& arrays, std::uint32_t begin, std::uint32_t end, RowEnds ends,
                  const RowDivision& division, ByteOf byte) {
  return arrays.weights ? divide_rows<true>(arrays, begin, end, ends, division, byte)
                        : divide_rows<false>(arrays, begin, end, ends, division, byte);
}

RowEnds divide(const RowArrays& arrays, std::uint32_t begin, std::uint32_t end, RowEnds ends,
               const RowDivision& division) {
  const RowBytes& of = division.of;
  if (of.words) return divide_by(arrays, begin, end, ends, division, OfWords{of.words, of.shift});
  return divide_by(arrays, begin, end, ends, division, OfBytes{of.bytes});
}

std::size_t pick(const std::uint32_t* rows, std::size_t count, const std::uint8_t* bytes,
                 const std::uint8_t* wanted, std::uint32_t* out) {
  std::size_t found = 0, i = 0;
#ifdef __AVX512VL__
  constexpr std::size_t step = 16;
  for (; i + step + ahead <= count; i += step) {
    unsigned mask = 0;
    for (std::size_t j = 0; j < step; ++j) {
      prefetch(bytes + rows[i + j + ahead]);
      mask |= static_cast<unsigned>(wanted[bytes[rows[i + j]]]) << j;
    }
    const __m512i block = _mm512_loadu_si512(rows + i);
    _mm512_storeu_si512(out + found, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), block));
    found += static_cast<std::size_t>(__builtin_popcount(mask));
  }
#endif
  for (; i < count; ++i) {
    out[found] = rows[i];
    found += wanted[bytes[rows[i]]];
  }
  return found;
}

}  // namespace

extern const RowKernels row_table;
const RowKernels row_table{divide, pick};

}  // namespace hardwood::HARDWOOD_ISA
