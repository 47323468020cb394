#include "explain/shap_kernels.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

void cut(const double* __restrict x, double threshold, std::int32_t missing, std::int32_t* __restrict branch) {
  for (std::size_t i = 0; i < shap_lanes; ++i) {
    const std::int32_t right = x[i] <= threshold ? 0 : 1;
    branch[i] = x[i] == x[i] ? right : missing;
  }
}

// One walk over a tree. At depth d: products[d] is the integrand of the path's columns, sums[d] what the
// leaves below have collected, takes[d] whether a row satisfies the path's conditions on the edge's column.
// `fixed` is the number of points, known to the compiler, or 0.
template <int fixed>
class Walk {
 public:
  Walk(const ShapProgram& program, const double* value, const std::int32_t* answers, double* numbers,
       std::int64_t* flags)
      : program_(program), value_(value), answers_(answers), products_(numbers),
        sums_(numbers + (program.depth + 1) * points() * shap_lanes), takes_(flags) {
    for (std::size_t q = 0; q < points(); ++q)
      for (std::size_t i = 0; i < shap_lanes; ++i) products_[q * shap_lanes + i] = program.start[q];
    for (std::size_t i = 0; i < shap_lanes; ++i) takes_[i] = 1;
  }

  void run(double* phi, std::size_t stride) const {
    for (std::size_t e = 0; e < program_.count; ++e) {
      enter(program_.edges[e], program_.factor + e * 3 * points());
      std::size_t last = e;
      for (std::int32_t k = program_.edges[e].ended; k > 0; --k) {
        const ShapEdge& edge = program_.edges[last];
        leave(edge, program_.credit + last * 3 * points(), phi + edge.slot * stride);
        last = edge.over;
      }
    }
  }

 private:
  std::size_t points() const { return fixed ? fixed : program_.points; }

  void enter(const ShapEdge& edge, const double* factor) const {
    const std::int64_t* __restrict earlier = takes_ + edge.above * shap_lanes;
    std::int64_t* __restrict takes = takes_ + edge.depth * shap_lanes;
    const std::int32_t* __restrict answer = answers_ + edge.parent * shap_lanes;
    const double value = edge.ended ? value_[edge.child] : 0;
    const double* __restrict from = products_ + (edge.depth - 1) * points() * shap_lanes;
    double* __restrict to = products_ + edge.depth * points() * shap_lanes;
    double* __restrict sum = sums_ + edge.depth * points() * shap_lanes;
    for (std::size_t i = 0; i < shap_lanes; ++i) takes[i] = earlier[i] & (answer[i] == edge.branch ? 1 : 0);
    for (std::size_t q = 0; q < points(); ++q) {
      const double gone = factor[q], leaves = factor[points() + q], stays = factor[2 * points() + q];
      for (std::size_t i = 0; i < shap_lanes; ++i) {
        const double other = earlier[i] ? leaves : gone;
        to[q * shap_lanes + i] = from[q * shap_lanes + i] * (takes[i] ? stays : other);
        sum[q * shap_lanes + i] = to[q * shap_lanes + i] * value;
      }
    }
  }

  void leave(const ShapEdge& edge, const double* credit, double* __restrict phi) const {
    const std::int64_t* __restrict earlier = takes_ + edge.above * shap_lanes;
    const std::int64_t* __restrict takes = takes_ + edge.depth * shap_lanes;
    const double* __restrict sum = sums_ + edge.depth * points() * shap_lanes;
    double* __restrict up = sums_ + (edge.depth - 1) * points() * shap_lanes;
    for (std::size_t q = 0; q < points(); ++q) {
      const double gone = credit[q], leaves = credit[points() + q], stays = credit[2 * points() + q];
      for (std::size_t i = 0; i < shap_lanes; ++i) {
        const double other = earlier[i] ? leaves : gone;
        phi[i] += sum[q * shap_lanes + i] * (takes[i] ? stays : other);
        up[q * shap_lanes + i] += sum[q * shap_lanes + i];
      }
    }
  }

  const ShapProgram& program_;
  const double* value_;
  const std::int32_t* answers_;
  double* products_;
  double* sums_;
  std::int64_t* takes_;
};

void add(const ShapProgram& program, const double* value, const std::int32_t* answers, double* numbers,
         std::int64_t* flags, double* phi, std::size_t stride) {
  switch (program.points) {
    case 1:
      return Walk<1>(program, value, answers, numbers, flags).run(phi, stride);
    case 2:
      return Walk<2>(program, value, answers, numbers, flags).run(phi, stride);
    case 3:
      return Walk<3>(program, value, answers, numbers, flags).run(phi, stride);
    default:
      return Walk<0>(program, value, answers, numbers, flags).run(phi, stride);
  }
}

}  // namespace

extern const ShapKernels shap_table;
const ShapKernels shap_table{cut, add};

}  // namespace hardwood::HARDWOOD_ISA
