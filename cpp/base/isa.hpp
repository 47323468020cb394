// Which vector units the running processor has. Kernels are compiled once per member of Isa and chosen
// here; all of them give the same bits.
#pragma once

namespace hardwood {

enum class Isa { portable, avx2, avx512 };

// The widest one that processor and build support, or the one that limit_isa allows.
Isa current_isa();

// For tests: use no wider units than these.
void limit_isa(Isa widest);

// The kernel table for the current processor.
template <class Kernels>
const Kernels& choose(const Kernels& portable, [[maybe_unused]] const Kernels& avx2,
                      [[maybe_unused]] const Kernels& avx512) {
  switch (current_isa()) {
    case Isa::avx512:
      return avx512;
    case Isa::avx2:
      return avx2;
    default:
      return portable;
  }
}

}  // namespace hardwood
