#include "base/isa.hpp"
#include "data/row_bit_kernels.hpp"

namespace hardwood {

namespace portable {
extern const RowBitKernels* const row_bit_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const RowBitKernels* const row_bit_table;
}
namespace avx512 {
extern const RowBitKernels* const row_bit_table;
}
const RowBitKernels* row_bit_kernels() {
  return choose(portable::row_bit_table, avx2::row_bit_table, avx512::row_bit_table);
}
#else
const RowBitKernels* row_bit_kernels() {
  return portable::row_bit_table;
}
#endif

}  // namespace hardwood
