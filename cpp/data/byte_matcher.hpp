// Which of 64 bytes are in a set of bytes, by vectors. For kernels alone: it is compiled once per instruction
// set.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX512VL__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace hardwood::HARDWOOD_ISA {

namespace {

#if defined(__AVX512VL__) || defined(__AVX2__)

// A set of bytes: the byte's low half chooses, of two tables, eight of its sixteen high halves.
struct ByteSet {
  std::uint8_t low[16] = {}, high[16] = {};
  explicit ByteSet(const std::uint8_t* wanted) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto bit = static_cast<std::uint8_t>((wanted[byte] ? 1u : 0u) << (byte >> 4 & 7));
      (byte < 128 ? low : high)[byte & 15] |= bit;
    }
  }
};

#endif

#if defined(__AVX512VL__)

constexpr std::size_t scanned_a_picked = 6;

struct Matcher {
  __m512i low, high, bit;
  explicit Matcher(const std::uint8_t* wanted) {
    const ByteSet set(wanted);
    const auto four_times = [](__m128i part) {  // masked: of the plain one g++ 12 says it is uninitialised
      return _mm512_maskz_broadcast_i32x4(0xffff, part);
    };
    const auto spread_over = [&](const std::uint8_t* table) {
      return four_times(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    };
    low = spread_over(set.low);
    high = spread_over(set.high);
    bit = four_times(_mm_set1_epi64x(static_cast<long long>(0x8040201008040201)));
  }
  // Bit i: byte i is wanted.
  std::uint64_t operator()(const std::uint8_t* bytes) const {
    const __m512i block = _mm512_loadu_si512(bytes), half = _mm512_set1_epi8(15);
    const __m512i first = _mm512_and_si512(block, half);
    const __m512i second = _mm512_and_si512(_mm512_srli_epi16(block, 4), half);
    const __m512i row =
        _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(low, first), _mm512_movepi8_mask(block), high, first);
    return _mm512_test_epi8_mask(row, _mm512_shuffle_epi8(bit, second));
  }
};

#elif defined(__AVX2__)

constexpr std::size_t scanned_a_picked = 4;

struct Matcher {
  __m256i low, high, bit;
  explicit Matcher(const std::uint8_t* wanted) {
    const ByteSet set(wanted);
    const auto spread_over = [](const std::uint8_t* table) {
      return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)));
    };
    low = spread_over(set.low);
    high = spread_over(set.high);
    bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
  }
  std::uint32_t half_block(const std::uint8_t* bytes) const {
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    const __m256i half = _mm256_set1_epi8(15), first = _mm256_and_si256(block, half);
    const __m256i second = _mm256_and_si256(_mm256_srli_epi16(block, 4), half);
    const __m256i row =
        _mm256_blendv_epi8(_mm256_shuffle_epi8(low, first), _mm256_shuffle_epi8(high, first), block);
    const __m256i found = _mm256_and_si256(row, _mm256_shuffle_epi8(bit, second));
    return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256())));
  }
  std::uint64_t operator()(const std::uint8_t* bytes) const {
    return half_block(bytes) | std::uint64_t{half_block(bytes + 32)} << 32;
  }
};

#else

constexpr std::size_t scanned_a_picked = 1;

struct Matcher {
  const std::uint8_t* wanted;
  explicit Matcher(const std::uint8_t* bytes_wanted) : wanted(bytes_wanted) {}
  std::uint64_t operator()(const std::uint8_t* bytes) const {
    std::uint64_t out = 0;
    for (int i = 0; i < 64; ++i) out |= std::uint64_t{wanted[bytes[i]]} << i;
    return out;
  }
};

#endif

}  // namespace

}  // namespace hardwood::HARDWOOD_ISA
