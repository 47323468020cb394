// Caller's memory -> contiguous float64 values or integer keys of one column at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.hpp"
#include "base/poll.hpp"
#include "data/input.hpp"

namespace hardwood {

// Number of columns from `first` on that lie side by side in one row-major matrix, at most `most`:
// read together they share their cache lines.
std::size_t adjacent_columns(std::span<const ColumnInput> inputs, std::size_t first, std::size_t most);

// Values of numeric columns as float64, NaN where missing: column k of the group at buffer[k * rows].
void load_doubles(std::span<const ColumnInput> group, std::size_t rows, LargeVector<double>& buffer,
                  const Poll& poll);

// Values of one numeric column in the rows [begin, end) as float64, NaN where missing; category codes
// likewise, negative ones as they are.
void load_rows(const ColumnInput& input, std::size_t begin, std::size_t end, double* out);

// True when the column already is contiguous float64 without a mask, so that nothing need be loaded.
bool is_plain(const ColumnInput& input);

// Values of an integer column as keys whose unsigned order is the values' order.
void load_keys(const ColumnInput& input, std::size_t rows, std::vector<std::uint64_t>& buffer);

// What load_keys flips: exclusive or with it turns a key into the value's bit pattern.
std::uint64_t key_flip(ColumnKind kind);

}  // namespace hardwood
