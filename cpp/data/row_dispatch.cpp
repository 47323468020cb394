#include "base/isa.hpp"
#include "data/row_kernels.hpp"

namespace hardwood {

namespace portable {
extern const RowKernels row_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const RowKernels row_table;
}
namespace avx512 {
extern const RowKernels row_table;
}
const RowKernels& row_kernels() {
  return choose(portable::row_table, avx2::row_table, avx512::row_table);
}
#else
const RowKernels& row_kernels() {
  return portable::row_table;
}
#endif

}  // namespace hardwood
