// The codes of a bucketed column in *slices*, runs of 2^shift codes inside its buckets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/made_columns.hpp"

namespace hardwood {

struct SliceDivision {
  int shift = 0;
  std::array<std::uint32_t, lane_codes> first{};  // of each lane code: its first slice
  std::uint32_t count = 0;                        // slices of the chosen buckets
  std::size_t width = 0;  // these and as many more as any other bucket, or missing values, could fall into

  // Divides the chosen buckets into at most so many slices, but each into one at least.
  void set(const EncodedColumn& column, std::span<const std::uint32_t> chosen, std::size_t most) {
    std::size_t codes = 0;
    for (std::uint32_t b : chosen) codes += column.bucket_start[b + 1] - column.bucket_start[b];
    shift = 0;
    while (shift < 31 && (codes >> shift) > most) ++shift;
    count = 0;
    std::uint32_t widest = 1;
    for (std::uint32_t b = 0; b < column.buckets(); ++b) widest = std::max(widest, slices(column, b));
    for (std::uint32_t b : chosen) count += slices(column, b);
    first.fill(count);
    std::uint32_t next = 0;
    for (std::uint32_t b : chosen) {
      first[b] = next;
      next += slices(column, b);
    }
    width = count + widest;
  }

  std::uint32_t slices(const EncodedColumn& column, std::uint32_t bucket) const {
    return ((column.bucket_start[bucket + 1] - column.bucket_start[bucket] - 1) >> shift) + 1;
  }
};

// One division of all buckets of a column, and each stored row's slice by it.
class SliceCodes {
 public:
  struct Column {
    SliceDivision division;
    std::vector<std::uint16_t> of_row;
  };
  static constexpr std::uint32_t most_slices = 4096;  // of a column: a class's cells fill the first-level cache

  const Column& of(const EncodedTable& table, std::uint32_t column);

 private:
  MadeColumns<Column> made_;
};

}  // namespace hardwood
