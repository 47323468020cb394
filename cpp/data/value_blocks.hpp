// Columns of numbers in blocks of rows that stay in the cache while they are looked at.
//
// Columns that lie side by side in a row-major matrix are read together and share their cache lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/input.hpp"
#include "data/keys.hpp"
#include "data/load.hpp"

namespace hardwood {

// Some rows of a column: float64 values, NaN where missing, of a numeric one; keys of an integer one. A
// category column has neither: its codes are read where they are.
struct ValueBlock {
  std::size_t begin = 0, rows = 0;
  const double* values = nullptr;
  const std::uint64_t* keys = nullptr;
  const std::uint8_t* missing = nullptr;  // of an integer column, or none

  bool any_infinite() const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; values && i < rows; ++i)
      found |= std::abs(values[i]) == std::numeric_limits<double>::infinity() ? 1 : 0;
    return found != 0;
  }
  // Of a numeric column, besides missing values.
  bool all_whole() const {
    return std::all_of(values, values + rows, [](double x) { return x != x || x == std::floor(x); });
  }
  bool present(std::size_t i) const { return values ? values[i] == values[i] : !missing || !missing[i]; }
  std::uint64_t key(std::size_t i) const { return values ? key_of(values[i]) : keys[i]; }
};

class ValueBlocks {
 public:
  static constexpr std::size_t block_rows = 1024;

  explicit ValueBlocks(std::span<const ColumnInput> inputs) : inputs_(inputs) {
    for (std::size_t c = 0; c < inputs.size(); c += count_.back()) {
      first_.push_back(c);
      count_.push_back(adjacent_columns(inputs, c, most));
    }
  }
  std::size_t groups() const { return first_.size(); }
  // The columns of a group follow each other.
  std::size_t first(std::size_t group) const { return first_[group]; }
  std::size_t end(std::size_t group) const { return first_[group] + count_[group]; }

  // Calls visit(column, block) for the group's columns that `wanted` names, block after block.
  template <class Wanted, class Visit>
  void read(std::size_t group, std::size_t rows, Wanted wanted, Visit visit) const {
    std::vector<double> values(count_[group] * block_rows);
    std::vector<std::uint64_t> keys;
    for (std::size_t begin = 0; begin < rows; begin += block_rows) {
      const std::size_t stop = std::min(rows, begin + block_rows);
      for (std::size_t c = first(group); c < end(group); ++c) {
        if (!wanted(c)) continue;
        ValueBlock block{begin, stop - begin};
        load(inputs_[c], block, values.data() + (c - first(group)) * block_rows, keys);
        visit(c, block);
      }
    }
  }

  // One row of a column, as a block.
  ValueBlock row(std::size_t column, std::size_t i, double& value, std::vector<std::uint64_t>& key) const {
    ValueBlock block{i, 1};
    load(inputs_[column], block, &value, key);
    return block;
  }

 private:
  static constexpr std::size_t most = 8;

  static void load(const ColumnInput& input, ValueBlock& block, double* values,
                   std::vector<std::uint64_t>& keys) {
    if (input.kind == ColumnKind::category) return;
    if (input.kind == ColumnKind::numeric) {
      if (is_plain(input)) {
        block.values = reinterpret_cast<const double*>(input.data) + block.begin;
      } else {
        load_rows(input, block.begin, block.begin + block.rows, values);
        block.values = values;
      }
      return;
    }
    ColumnInput part = input;
    part.data += static_cast<std::ptrdiff_t>(block.begin) * input.stride;
    load_keys(part, block.rows, keys);
    block.keys = keys.data();
    block.missing = input.missing ? input.missing + block.begin : nullptr;
  }

  std::span<const ColumnInput> inputs_;
  std::vector<std::size_t> first_, count_;
};

}  // namespace hardwood
