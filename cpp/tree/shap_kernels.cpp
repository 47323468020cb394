#include "tree/shap_kernels.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

constexpr std::size_t lanes = shap_lanes;

void cut(const double* __restrict x, double threshold, std::int32_t missing,
         std::int32_t* __restrict branch) {
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::int32_t right = x[i] <= threshold ? 0 : 1;
    branch[i] = x[i] == x[i] ? right : missing;
  }
}

// One walk over a tree. At depth d: products[d] is the integrand of the path's columns, sums[d] what the
// leaves below have collected, takes[d] whether a row satisfies the path's conditions on the edge's column.
class Walk {
 public:
  Walk(const ShapProgram& program, const double* value, const std::int32_t* answers, double* numbers,
       std::int64_t* flags)
      : program_(program), value_(value), answers_(answers), size_(program.points * lanes),
        products_(numbers), sums_(numbers + (program.depth + 1) * size_), takes_(flags) {
    for (int q = 0; q < program.points; ++q)
      for (std::size_t i = 0; i < lanes; ++i) products_[q * lanes + i] = program.start[q];
    for (std::size_t i = 0; i < lanes; ++i) takes_[i] = 1;
  }

  void enter(const ShapEdge& edge, const double* factor) const {
    const std::int64_t* __restrict earlier = takes_ + edge.above * lanes;
    std::int64_t* __restrict takes = takes_ + edge.depth * lanes;
    const std::int32_t* __restrict answer = answers_ + edge.parent * lanes;
    for (std::size_t i = 0; i < lanes; ++i) takes[i] = earlier[i] & (answer[i] == edge.branch ? 1 : 0);
    const double value = edge.ended ? value_[edge.child] : 0;
    for (int q = 0; q < program_.points; ++q) {
      const double gone = factor[q], leaves = factor[program_.points + q],
                   stays = factor[2 * program_.points + q];
      const double* __restrict from = products_ + (edge.depth - 1) * size_ + q * lanes;
      double* __restrict to = products_ + edge.depth * size_ + q * lanes;
      double* __restrict sum = sums_ + edge.depth * size_ + q * lanes;
      for (std::size_t i = 0; i < lanes; ++i) {
        const double other = earlier[i] ? leaves : gone;
        to[i] = from[i] * (takes[i] ? stays : other);
        sum[i] = to[i] * value;
      }
    }
  }

  void leave(const ShapEdge& edge, const double* credit, double* __restrict phi) const {
    const std::int64_t* __restrict earlier = takes_ + edge.above * lanes;
    const std::int64_t* __restrict takes = takes_ + edge.depth * lanes;
    for (int q = 0; q < program_.points; ++q) {
      const double gone = credit[q], leaves = credit[program_.points + q],
                   stays = credit[2 * program_.points + q];
      const double* __restrict sum = sums_ + edge.depth * size_ + q * lanes;
      double* __restrict up = sums_ + (edge.depth - 1) * size_ + q * lanes;
      for (std::size_t i = 0; i < lanes; ++i) {
        const double other = earlier[i] ? leaves : gone;
        phi[i] += sum[i] * (takes[i] ? stays : other);
        up[i] += sum[i];
      }
    }
  }

 private:
  const ShapProgram& program_;
  const double* value_;
  const std::int32_t* answers_;
  std::size_t size_;
  double* products_;
  double* sums_;
  std::int64_t* takes_;
};

void add(const ShapProgram& program, const double* value, const std::int32_t* answers, double* numbers,
         std::int64_t* flags, double* phi, std::size_t stride) {
  const Walk walk(program, value, answers, numbers, flags);
  const std::size_t row = 3 * program.points;
  for (std::size_t e = 0; e < program.count; ++e) {
    walk.enter(program.edges[e], program.factor + e * row);
    std::size_t last = e;
    for (std::int32_t k = program.edges[e].ended; k > 0; --k) {
      const ShapEdge& edge = program.edges[last];
      walk.leave(edge, program.credit + last * row, phi + edge.slot * stride);
      last = edge.over;
    }
  }
}

}  // namespace

extern const ShapKernels shap_table;
const ShapKernels shap_table{cut, add};

}  // namespace hardwood::HARDWOOD_ISA
