#include "base/isa.hpp"
#include "histogram/histogram_kernels.hpp"

namespace hardwood {

namespace portable {
extern const HistogramKernels kernels;
}
#ifdef HARDWOOD_X86_DISPATCH
namespace avx2 {
extern const HistogramKernels kernels;
}
namespace avx512 {
extern const HistogramKernels kernels;
}
const HistogramKernels& histogram_kernels() {
  return choose(portable::kernels, avx2::kernels, avx512::kernels);
}
#else
const HistogramKernels& histogram_kernels() {
  return portable::kernels;
}
#endif

}  // namespace hardwood
