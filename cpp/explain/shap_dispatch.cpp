#include "base/isa.hpp"
#include "explain/shap_kernels.hpp"

namespace hardwood {

namespace portable {
extern const ShapKernels shap_table;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const ShapKernels shap_table;
}
namespace avx512 {
extern const ShapKernels shap_table;
}
const ShapKernels& shap_kernels() {
  return choose(portable::shap_table, avx2::shap_table, avx512::shap_table);
}
#else
const ShapKernels& shap_kernels() {
  return portable::shap_table;
}
#endif

}  // namespace hardwood
