#include "base/isa.hpp"
#include "search/cost_kernels.hpp"

namespace hardwood {

namespace portable {
extern const CostKernels cost_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const CostKernels cost_table;
}
namespace avx512 {
extern const CostKernels cost_table;
}
const CostKernels& cost_kernels() {
  return choose(portable::cost_table, avx2::cost_table, avx512::cost_table);
}
#else
const CostKernels& cost_kernels() {
  return portable::cost_table;
}
#endif

}  // namespace hardwood
