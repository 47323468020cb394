#include "base/isa.hpp"

#include <algorithm>
#include <atomic>

namespace hardwood {

namespace {

Isa detect() {
#ifdef HARDWOOD_X86_DISPATCH
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("bmi2"))
    return Isa::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return Isa::avx2;
#endif
  return Isa::portable;
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
