#include "base/isa.hpp"

#include <algorithm>
#include <atomic>

#ifdef _MSC_VER
#include <intrin.h>
#endif

namespace hardwood {

namespace {

Isa detect() {
#if defined(HARDWOOD_EMULATED_AVX512)
  return Isa::avx512;
#elif defined(HARDWOOD_X86_DISPATCH) && defined(_MSC_VER)
  int words[4] = {};  // eax, ebx, ecx, edx
  __cpuid(words, 1);
  const bool saves_registers = words[2] >> 27 & 1;
  if (!saves_registers) return Isa::portable;
  const unsigned long long saved = _xgetbv(0);
  __cpuidex(words, 7, 0);
  const auto has = [&](int bit) { return (words[1] >> bit & 1) != 0; };
  const bool avx2 = (saved & 0x6) == 0x6 && has(5) && has(8);  // ymm saved, AVX2, BMI2
  if (!avx2) return Isa::portable;
  const bool avx512 = (saved & 0xe6) == 0xe6 && has(16) && has(17) && has(30) && has(31);  // F, DQ, BW, VL
  return avx512 ? Isa::avx512 : Isa::avx2;
#elif defined(HARDWOOD_X86_DISPATCH)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("bmi2"))
    return Isa::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return Isa::avx2;
  return Isa::portable;
#else
  return Isa::portable;
#endif
}

std::atomic<Isa> widest_allowed{Isa::avx512};

}  // namespace

Isa current_isa() {
  static const Isa detected = detect();
  return std::min(detected, widest_allowed.load(std::memory_order_relaxed));
}

void limit_isa(Isa widest) {
  widest_allowed = widest;
}

}  // namespace hardwood
