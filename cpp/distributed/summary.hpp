// What a part tells about a column before codes exist: its distinct values where they are few, else a
// sample of them. Bounded, whatever the number of rows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/input.hpp"

namespace hardwood {

struct ColumnSummary {
  bool complete = true;             // keys are all distinct values; else a sorted sample, with repeats
  bool has_missing = false;         // known only when complete
  bool whole = false;               // numeric: every value of the part is a whole number
  std::vector<std::uint64_t> keys;  // ascending
};

struct SummaryLimits {
  std::size_t distinct;  // more values than this: a sample
  std::size_t sample;
};

// Of numeric and integer columns; a category column's is empty.
std::vector<ColumnSummary> summarise(const std::vector<ColumnInput>& inputs, std::size_t rows,
                                     const SummaryLimits& limits, Pool& pool, const Poll& poll);

}  // namespace hardwood
