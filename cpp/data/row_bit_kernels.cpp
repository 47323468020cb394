#include "data/row_bit_kernels.hpp"

#include "base/portable.hpp"
#include "data/byte_matcher.hpp"
#include "data/compressing.hpp"

namespace hardwood::HARDWOOD_ISA {

extern const RowBitKernels* const row_bit_table;

#ifdef __AVX2__

namespace {

// The bytes of 64 rows side by side.
const std::uint8_t* bytes_of(const RowBytes& of, std::size_t row, std::uint8_t* room) {
  if (!of.words.first) return of.bytes + row;
#ifdef __AVX512VL__
  if (of.words.stride == 1) {
    for (std::size_t i = 0; i < rows_a_word; i += 8) {
      const __m512i words = _mm512_loadu_si512(of.words.at(row + i));
      // masked: of the plain one g++ 12 says it is uninitialised
      const __m512i shifted = _mm512_maskz_srl_epi64(0xff, words, _mm_cvtsi32_si128(of.shift));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(room + i), _mm512_maskz_cvtepi64_epi8(0xff, shifted));
    }
    return room;
  }
#endif
  const auto* first = reinterpret_cast<const std::uint8_t*>(of.words.at(row)) + of.shift / 8;  // little-endian
  const std::size_t step = of.words.stride * sizeof(std::uint64_t);
  for (std::size_t i = 0; i < rows_a_word; ++i) room[i] = first[i * step];
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

std::size_t count(const WordRange& words, const std::uint64_t* bits, const std::uint64_t* others) {
  std::size_t out = 0;
  for (std::size_t w = words.begin; w < words.end; ++w)
    out += static_cast<std::size_t>(count_bits(bits[w] & others[w]));
  return out;
}

// Where the next rows of a branch go. While there is room for eight, what is written beyond its rows is written
// over later.
class Branch {
 public:
  explicit Branch(RowPlaces to) : to_(to) {}

  // Of eight rows and their weights (or null) those in the mask.
  void add(const std::uint32_t* rows, const std::int64_t* weights, unsigned mask) {
    if (count_ + 8 <= to_.count) {
      compress_rows(rows, mask, to_.rows + count_);
      if (weights) compress_weights(weights, mask, to_.weights + count_);
      count_ += static_cast<std::uint32_t>(count_bits(mask));
    } else {
      for (; mask != 0; mask &= mask - 1, ++count_) {
        const int i = lowest_bit(mask);
        to_.rows[count_] = rows[i];
        if (weights) to_.weights[count_] = weights[i];
      }
    }
  }

 private:
  RowPlaces to_;
  std::uint32_t count_ = 0;  // so far
};

// The rows of a node and their weights, which stand side by side, go to their branches eight at a time; of up
// to seven it is known already which go right.
class Spread {
 public:
  Spread(const BitRun& run, RowPlaces left, RowPlaces right)
      : rows_(run.rows), weights_(run.weights), left_(left), right_(right) {}

  void add(std::uint64_t node, std::uint64_t rights) {
    for (int half = 0; half < 2; ++half, node >>= 32, rights >>= 32) {
      const std::uint64_t own = node & 0xffffffff;
      known_ |= _pext_u64(rights, own) << count_;  // bit i: the i-th of the node's rows here goes right
      count_ += count_bits(own);
      for (; count_ >= 8; count_ -= 8, known_ >>= 8) {
        put(rows_, weights_, 0xff);
        rows_ += 8;
        if (weights_) weights_ += 8;
      }
    }
  }

  void finish() {
    std::uint32_t rows[8] = {};
    std::int64_t weights[8] = {};
    for (int i = 0; i < count_; ++i) {
      rows[i] = rows_[i];
      if (weights_) weights[i] = weights_[i];
    }
    put(rows, weights_ ? weights : nullptr, (1u << count_) - 1);
  }

 private:
  void put(const std::uint32_t* rows, const std::int64_t* weights, unsigned all) {
    const auto rights = static_cast<unsigned>(known_) & all;
    right_.add(rows, weights, rights);
    left_.add(rows, weights, all & ~rights);
  }

  const std::uint32_t* rows_;
  const std::int64_t* weights_;
  Branch left_, right_;
  std::uint64_t known_ = 0;
  int count_ = 0;
};

void spread(const BitRun& run, RowPlaces left, RowPlaces right, std::uint64_t* left_bits,
            std::uint64_t* right_bits) {
  Spread spread(run, left, right);
  for (std::size_t w = run.words.begin; w < run.words.end; ++w) {
    const std::uint64_t node = run.node[w], rights = node & run.right[w];
    if (left_bits) left_bits[w] = node & ~rights;
    if (right_bits) right_bits[w] = rights;
    if (node != 0) spread.add(node, rights);
  }
  spread.finish();
}

const RowBitKernels kernels_of_rows{match, count, spread};

}  // namespace

const RowBitKernels* const row_bit_table = &kernels_of_rows;

#else

const RowBitKernels* const row_bit_table = nullptr;

#endif

}  // namespace hardwood::HARDWOOD_ISA
