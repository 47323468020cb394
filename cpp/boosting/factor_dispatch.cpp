#include "base/isa.hpp"
#include "boosting/factor_kernels.hpp"

namespace hardwood {

namespace portable {
extern const FactorKernels factor_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const FactorKernels factor_table;
}
namespace avx512 {
extern const FactorKernels factor_table;
}
const FactorKernels& factor_kernels() {
  return choose(portable::factor_table, avx2::factor_table, avx512::factor_table);
}
#else
const FactorKernels& factor_kernels() {
  return portable::factor_table;
}
#endif

}  // namespace hardwood
