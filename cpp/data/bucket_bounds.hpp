// Where the buckets of a many-valued column begin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hardwood {

constexpr std::uint32_t no_code = 0xffffffffu;

// Buckets of adjacent codes, at most `most` and one for the code `alone` (no_code: none), as the first code
// of each and the number of codes at the end. `frequency` is the number of rows per code.
//
// With the share s of the rows before it, the bound of a bucket of share u misses the cost by about u^2 / (s (1
// - s)). To make that equal everywhere, u goes with the root of s (1 - s): bounds lie at equal steps of
// arcsin(sqrt(s)). (With buckets of equally many rows the outermost ones were opened in three of four columns
// of late boosting rounds, to find nothing.) Where they lie changes the work, never the result.
std::vector<std::uint32_t> bucket_bounds(std::span<const std::uint32_t> frequency, std::uint32_t most,
                                         std::uint32_t alone);

}  // namespace hardwood
