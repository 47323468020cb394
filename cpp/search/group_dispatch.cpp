#include "base/isa.hpp"
#include "search/group_kernels.hpp"

namespace hardwood {

namespace portable {
extern const GroupKernels group_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const GroupKernels group_table;
}
namespace avx512 {
extern const GroupKernels group_table;
}
const GroupKernels& group_kernels() {
  return choose(portable::group_table, avx2::group_table, avx512::group_table);
}
#else
const GroupKernels& group_kernels() {
  return portable::group_table;
}
#endif

}  // namespace hardwood
