#include "search/group_kernels.hpp"

#include "base/portable.hpp"

namespace hardwood::HARDWOOD_ISA {

namespace {

// In whole numbers, which add up faster than doubles do and are as exact. An empty code's place is written over
// by the next one.
template <class Cell>
void append_one_by_one(const Cell* first, const Cell* second, std::uint32_t begin, std::uint32_t end,
                       GroupSums& out) {
  std::size_t count = out.count;
  std::int64_t sum0 = out.sum[0], sum1 = out.sum[1];
  for (std::uint32_t k = begin; k < end; ++k) {
    const auto own0 = static_cast<std::int64_t>(first[k]), own1 = static_cast<std::int64_t>(second[k]);
    sum0 += own0;
    sum1 += own1;
    out.code[count] = k;
    out.left[0][count + 1] = static_cast<double>(sum0);
    out.left[1][count + 1] = static_cast<double>(sum1);
    count += (own0 | own1) != 0 ? 1 : 0;
  }
  out.count = count;
  out.sum[0] = sum0;
  out.sum[1] = sum1;
}

#ifdef __AVX512VL__

__m512i load_eight(const std::int64_t* cells) {
  return _mm512_loadu_si512(cells);
}
__m512i load_eight(const std::uint32_t* cells) {
  return _mm512_maskz_cvtepu32_epi64(0xff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells)));
}

// (The compiler takes what is left out of the forms without a mask for uninitialized.)
// The prefix sums of eight numbers, beginning from the last of `before`.
__m512i prefix_sums(__m512i own, __m512i before) {
  const __m512i none = _mm512_setzero_si512();
  own = _mm512_add_epi64(own, _mm512_maskz_alignr_epi64(0xff, own, none, 7));
  own = _mm512_add_epi64(own, _mm512_maskz_alignr_epi64(0xff, own, none, 6));
  own = _mm512_add_epi64(own, _mm512_maskz_alignr_epi64(0xff, own, none, 4));
  return _mm512_add_epi64(own, _mm512_maskz_permutexvar_epi64(0xff, _mm512_set1_epi64(7), before));
}

template <class Cell>
void append(const Cell* first, const Cell* second, std::uint32_t begin, std::uint32_t end, GroupSums& out) {
  __m512i sums[2] = {_mm512_set1_epi64(out.sum[0]), _mm512_set1_epi64(out.sum[1])};
  __m256i codes =
      _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(begin)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  std::size_t count = out.count;
  std::uint32_t k = begin;
  for (; k + 8 <= end; k += 8) {
    const __m512i own[2] = {load_eight(first + k), load_eight(second + k)};
    const __m512i either = _mm512_or_si512(own[0], own[1]);
    const __mmask8 kept = _mm512_test_epi64_mask(either, either);
    for (int c = 0; c < 2; ++c) {
      sums[c] = prefix_sums(own[c], sums[c]);
      _mm512_storeu_pd(out.left[c] + count + 1,
                       _mm512_maskz_compress_pd(kept, _mm512_maskz_cvtepi64_pd(0xff, sums[c])));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.code + count), _mm256_maskz_compress_epi32(kept, codes));
    codes = _mm256_add_epi32(codes, _mm256_set1_epi32(8));
    count += static_cast<std::size_t>(count_bits(kept));
  }
  out.count = count;
  for (int c = 0; c < 2; ++c) {
    alignas(64) std::int64_t all[8];
    _mm512_store_si512(all, sums[c]);
    out.sum[c] = all[7];
  }
  append_one_by_one(first, second, k, end, out);
}

#else

template <class Cell>
void append(const Cell* first, const Cell* second, std::uint32_t begin, std::uint32_t end, GroupSums& out) {
  append_one_by_one(first, second, begin, end, out);
}

#endif

}  // namespace

extern const GroupKernels group_table;
const GroupKernels group_table{append<std::uint32_t>, append<std::int64_t>};

}  // namespace hardwood::HARDWOOD_ISA
