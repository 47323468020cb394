// What compilers and systems name differently, under one name each. Nothing else in cpp/ asks which compiler it
// is.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#elif defined(__x86_64__)
#include <immintrin.h>
#endif

// Products of two whole numbers below 2^63, and their sums, do not fit into 64 bits.
#if defined(__SIZEOF_INT128__) && !defined(_MSC_VER) && !defined(HARDWOOD_TWO_WORDS)
namespace hardwood {
__extension__ typedef __int128 Wide;
}
#else
#include "base/two_words.hpp"
namespace hardwood {
using Wide = TwoWords;
}
#endif

namespace hardwood {

constexpr std::uint32_t ahead = 24;  // rows between a prefetch and its use

// Internal linkage: kernels are compiled once per instruction set, and must not share a function.
static inline void prefetch(const void* place) {
#if defined(_MSC_VER) && !defined(__clang__)
#if defined(_M_X64)
  _mm_prefetch(static_cast<const char*>(place), _MM_HINT_T0);
#else
  __prefetch(place);
#endif
#else
  __builtin_prefetch(place);
#endif
}

// The place of the lowest bit that is set; any number where none is.
static inline int lowest_bit(std::uint64_t bits) {
#if defined(_MSC_VER) && !defined(__clang__)
  unsigned long place = 0;
  _BitScanForward64(&place, bits);
  return static_cast<int>(place);
#else
  return __builtin_ctzll(bits | std::uint64_t{1} << 63);
#endif
}

static inline int count_bits(std::uint64_t bits) {
#if defined(_MSC_VER) && !defined(__clang__)
  int out = 0;
  for (; bits != 0; bits &= bits - 1) ++out;
  return out;
#else
  return __builtin_popcountll(bits);
#endif
}

// Tells the CPU that this thread only waits for another one.
static inline void pause_briefly() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#elif defined(__aarch64__) && !defined(_MSC_VER)
  __asm__ volatile("isb" ::: "memory");
#endif
}

}  // namespace hardwood
