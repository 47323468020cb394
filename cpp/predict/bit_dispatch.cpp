#include "base/isa.hpp"
#include "predict/bit_kernels.hpp"

namespace hardwood {

namespace portable {
extern const BitKernels bit_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const BitKernels bit_table;
}
namespace avx512 {
extern const BitKernels bit_table;
}
const BitKernels& bit_kernels() {
  return choose(portable::bit_table, avx2::bit_table, avx512::bit_table);
}
#else
const BitKernels& bit_kernels() {
  return portable::bit_table;
}
#endif

}  // namespace hardwood
