// A column's values -> rank codes and codebook.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.hpp"

namespace hardwood {

struct RankItem {
  std::uint64_t key;    // above the smallest of its bucket
  std::uint32_t place;  // in the bucket
};

// Buffers that one thread uses again and again while it encodes columns.
struct RankScratch {
  std::vector<std::uint16_t> bucket;     // of each row
  LargeVector<std::uint64_t> keys;       // bucket by bucket; later their codes
  LargeVector<std::uint64_t> distinct;   // keys, ascending
  LargeVector<std::uint32_t> frequency;  // of these, then of missing values
  std::vector<RankItem> items, others;   // of one bucket
  std::vector<std::uint32_t> table;
  LargeVector<std::uint32_t> codes;  // the result: one code per row
};

struct Ranks {
  std::vector<double> codebook;              // ascending distinct values
  std::vector<std::uint64_t> wide_codebook;  // the same for integer kinds
  std::vector<std::uint32_t> frequency;      // rows per code, missing last when there are any
  bool has_missing = false;
};

// Codes of float64 values; NaN is missing, -0.0 is 0.0. Throws std::invalid_argument on infinity.
Ranks rank_doubles(std::span<const double> values, RankScratch& scratch);

// Codes of integer keys whose unsigned order is the values' order; `missing` may be null.
// `flip` turns a key back into the value's bit pattern (exclusive or).
Ranks rank_keys(std::span<const std::uint64_t> keys, const std::uint8_t* missing, std::uint64_t flip,
                RankScratch& scratch);

// Codes of categories 0 .. categories-1; a negative value is missing.
Ranks rank_categories(std::span<const std::int32_t> values, std::uint32_t categories, RankScratch& scratch);

}  // namespace hardwood
