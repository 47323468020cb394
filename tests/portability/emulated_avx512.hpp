// AVX-512 by SIMDe, for a CPU that lacks it: included before every kernel file of the build that emulates it
// (run.py). The intrinsics that kernels name are then functions; what the compiler makes of plain loops has
// AVX2.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

#define __AVX512F__ 1
#define __AVX512VL__ 1

// These are not in SIMDe 0.7.
static inline simde__m512i shifted_right(unsigned mask, simde__m512i words, __m128i count) {
  std::uint64_t each[8], by[2];
  std::memcpy(each, &words, sizeof each);
  std::memcpy(by, &count, sizeof by);
  for (int i = 0; i < 8; ++i) each[i] = (mask >> i & 1) && by[0] < 64 ? each[i] >> by[0] : 0;
  std::memcpy(&words, each, sizeof each);
  return words;
}

static inline __m128i lowest_bytes(unsigned mask, simde__m512i words) {
  std::uint64_t each[8];
  std::uint8_t bytes[16] = {};
  std::memcpy(each, &words, sizeof each);
  for (int i = 0; i < 8; ++i) bytes[i] = mask >> i & 1 ? static_cast<std::uint8_t>(each[i]) : 0;
  __m128i out;
  std::memcpy(&out, bytes, sizeof out);
  return out;
}

static inline simde__m512i widened(unsigned mask, __m256i numbers) {
  std::uint32_t each[8];
  std::uint64_t wide[8];
  std::memcpy(each, &numbers, sizeof each);
  for (int i = 0; i < 8; ++i) wide[i] = mask >> i & 1 ? each[i] : 0;
  simde__m512i out;
  std::memcpy(&out, wide, sizeof out);
  return out;
}

static inline simde__m512i shifted_in(unsigned mask, simde__m512i high, simde__m512i low, int places) {
  std::uint64_t both[16], each[8];
  std::memcpy(both, &low, sizeof low);
  std::memcpy(both + 8, &high, sizeof high);
  for (int i = 0; i < 8; ++i) each[i] = mask >> i & 1 ? both[i + places] : 0;
  std::memcpy(&low, each, sizeof low);
  return low;
}

static inline simde__m512d as_doubles(unsigned mask, simde__m512i numbers) {
  std::int64_t each[8];
  double doubles[8];
  std::memcpy(each, &numbers, sizeof each);
  for (int i = 0; i < 8; ++i) doubles[i] = mask >> i & 1 ? static_cast<double>(each[i]) : 0;
  simde__m512d out;
  std::memcpy(&out, doubles, sizeof out);
  return out;
}

#undef _mm512_maskz_cvtepu32_epi64
#undef _mm512_maskz_alignr_epi64
#undef _mm512_maskz_cvtepi64_pd
#define _mm512_maskz_cvtepu32_epi64(mask, numbers) widened(mask, numbers)
#define _mm512_maskz_alignr_epi64(mask, high, low, places) shifted_in(mask, high, low, places)
#define _mm512_maskz_cvtepi64_pd(mask, numbers) as_doubles(mask, numbers)
#undef _mm512_maskz_srl_epi64
#undef _mm512_maskz_cvtepi64_epi8
#define _mm512_maskz_srl_epi64(mask, words, count) shifted_right(mask, words, count)
#define _mm512_maskz_cvtepi64_epi8(mask, words) lowest_bytes(mask, words)
