// Some of eight rows or weights put side by side, by vectors. For kernels alone: it is compiled once per
// instruction set.
#pragma once

#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>

#include "base/portable.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

// Bit i of the mask: the i-th of eight is kept. Eight are written, those that are kept first.

#ifdef __AVX512VL__

inline void compress_rows(const std::uint32_t* eight, unsigned mask, std::uint32_t* out) {
  const __m256i rows = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm256_maskz_compress_epi32(static_cast<__mmask8>(mask), rows));
}

inline void compress_weights(const std::int64_t* eight, unsigned mask, std::int64_t* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), _mm512_loadu_si512(eight)));
}

#else

// Of each mask, the places that are set, in order: a byte each. And of masks of four 64-bit numbers, as the
// places of their 32-bit halves.
struct MaskTables {
  std::uint64_t places[256];
  std::uint32_t halves[16][8];
  constexpr MaskTables() : places{}, halves{} {
    for (unsigned mask = 0; mask < 256; ++mask)
      for (unsigned place = 0, found = 0; place < 8; ++place) {
        if ((mask >> place & 1) == 0) continue;
        if (mask < 16) {
          halves[mask][2 * found] = 2 * place;
          halves[mask][2 * found + 1] = 2 * place + 1;
        }
        places[mask] |= std::uint64_t{place} << (8 * found++);
      }
  }
};
constexpr MaskTables of_mask;

inline __m256i places(unsigned mask) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(of_mask.places[mask])));
}

inline void compress_rows(const std::uint32_t* eight, unsigned mask, std::uint32_t* out) {
  const __m256i rows = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(rows, places(mask)));
}

inline void compress_weights(const std::int64_t* eight, unsigned mask, std::int64_t* out) {
  const auto compress_four = [](const std::int64_t* four, unsigned own, std::int64_t* to) {
    const auto at = [](const void* place) { return reinterpret_cast<const __m256i*>(place); };
    const __m256i halves = _mm256_loadu_si256(at(of_mask.halves[own]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm256_permutevar8x32_epi32(_mm256_loadu_si256(at(four)), halves));
  };
  compress_four(eight, mask & 15, out);
  compress_four(eight + 4, mask >> 4 & 15, out + count_bits(mask & 15));
}

#endif

}  // namespace

}  // namespace hardwood::HARDWOOD_ISA

#endif
