#include "data/row_bit_kernels.hpp"

#include "base/portable.hpp"
#include "data/byte_matcher.hpp"

namespace hardwood::HARDWOOD_ISA {

extern const RowBitKernels* const row_bit_table;

#ifdef __AVX512VL__

namespace {

// The bytes of 64 rows side by side.
const std::uint8_t* bytes_of(const RowBytes& of, std::size_t row, std::uint8_t* room) {
  if (!of.words.first) return of.bytes + row;
  if (of.words.stride == 1) {
    for (std::size_t i = 0; i < rows_a_word; i += 8) {
      const __m512i words = _mm512_loadu_si512(of.words.at(row + i));
      // masked: of the plain one g++ 12 says it is uninitialised
      const __m512i shifted = _mm512_maskz_srl_epi64(0xff, words, _mm_cvtsi32_si128(of.shift));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(room + i), _mm512_maskz_cvtepi64_epi8(0xff, shifted));
    }
    return room;
  }
  for (std::size_t i = 0; i < rows_a_word; ++i)
    room[i] = static_cast<std::uint8_t>(of.words[row + i] >> of.shift);
  return room;
}

void match(const RowDivision& division, const WordRange& words, std::uint64_t* right, std::uint64_t* asked) {
  std::uint8_t goes_right[256], is_asked[256], room[rows_a_word];
  bool any_asked = false;
  for (int byte = 0; byte < 256; ++byte) {
    goes_right[byte] = division.branch[byte] == 1 ? 1 : 0;
    is_asked[byte] = division.branch[byte] == ask_row ? 1 : 0;
    any_asked |= is_asked[byte] != 0;
  }
  const Matcher match_right(goes_right), match_asked(is_asked);
  for (std::size_t w = words.begin; w < words.end; ++w) {
    const std::size_t row = w * rows_a_word;
    std::uint64_t bits = 0, ask = 0;
    if (row + rows_a_word <= words.rows) {
      const std::uint8_t* const bytes = bytes_of(division.of, row, room);
      bits = match_right(bytes);
      if (any_asked) ask = match_asked(bytes);
    } else {
      for (std::size_t i = 0; row + i < words.rows; ++i) {
        const RowBytes& of = division.of;
        const auto byte =
            of.words.first ? static_cast<std::uint8_t>(of.words[row + i] >> of.shift) : of.bytes[row + i];
        bits |= std::uint64_t{goes_right[byte]} << i;
        ask |= std::uint64_t{is_asked[byte]} << i;
      }
    }
    right[w - words.begin] = bits;
    asked[w - words.begin] = ask;
  }
}

// The next place of a branch. While there is room for a whole block, what is written beyond its rows is written
// over later.
struct Branch {
  RowPlaces to;
  std::uint32_t rows = 0, weights = 0;  // so far

  void add_rows(std::uint64_t bits, std::uint32_t first) {
    if (rows + rows_a_word <= to.count) {
      const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      __m512i row = _mm512_add_epi32(numbers, _mm512_set1_epi32(static_cast<int>(first)));
      for (int i = 0; i < 4; ++i) {
        const auto some = static_cast<__mmask16>(bits >> (16 * i));
        _mm512_storeu_si512(to.rows + rows, _mm512_maskz_compress_epi32(some, row));
        rows += static_cast<std::uint32_t>(count_bits(some));
        row = _mm512_add_epi32(row, _mm512_set1_epi32(16));
      }
      return;
    }
    for (; bits != 0; bits &= bits - 1) to.rows[rows++] = first + static_cast<std::uint32_t>(lowest_bit(bits));
  }

  // Of eight rows those in the mask.
  void add_weights(__m512i eight, __mmask8 mask) {
    const __m512i own = _mm512_maskz_compress_epi64(mask, eight);
    const auto count = static_cast<std::uint32_t>(count_bits(mask));
    if (weights + 8 <= to.count) _mm512_storeu_si512(to.weights + weights, own);
    else _mm512_mask_storeu_epi64(to.weights + weights, static_cast<__mmask8>((1u << count) - 1), own);
    weights += count;
  }
};

void spread(const BitRun& run, RowPlaces left, RowPlaces right, std::uint64_t* left_bits,
            std::uint64_t* right_bits) {
  Branch to_left{left}, to_right{right};
  const std::int64_t* weights = run.weights;
  for (std::size_t w = run.words.begin; w < run.words.end; ++w) {
    const std::uint64_t node = run.node[w], rights = node & run.right[w], lefts = node & ~rights;
    if (left_bits) left_bits[w] = lefts;
    if (right_bits) right_bits[w] = rights;
    if (node == 0) continue;
    to_left.add_rows(lefts, static_cast<std::uint32_t>(w * rows_a_word));
    to_right.add_rows(rights, static_cast<std::uint32_t>(w * rows_a_word));
    if (!weights) continue;
    std::uint64_t among = _pext_u64(rights, node);  // bit i: the i-th of the node's rows here goes right
    const int count = count_bits(node);
    for (int i = 0; i < count; i += 8, among >>= 8, weights += 8) {
      const auto all = static_cast<__mmask8>(count - i < 8 ? (1u << (count - i)) - 1 : 0xffu);
      const __m512i eight = _mm512_maskz_loadu_epi64(all, weights);
      const auto mask = static_cast<__mmask8>(among & 0xff);
      to_right.add_weights(eight, mask);
      to_left.add_weights(eight, static_cast<__mmask8>(all & ~mask));
    }
    weights -= (8 - count % 8) % 8;
  }
}

const RowBitKernels kernels_of_rows{match, spread};

}  // namespace

const RowBitKernels* const row_bit_table = &kernels_of_rows;

#else

const RowBitKernels* const row_bit_table = nullptr;

#endif

}  // namespace hardwood::HARDWOOD_ISA
