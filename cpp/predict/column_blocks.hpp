// The columns that trees ask about, a block of rows at a time, as float64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "data/input.hpp"

namespace hardwood {

constexpr std::size_t block_rows = 1024;

// A used column within the current block of rows.
struct Slot {
  const std::byte* data;
  std::ptrdiff_t stride;
  double value(std::size_t i) const {
    double out;
    std::memcpy(&out, data + static_cast<std::ptrdiff_t>(i) * stride, sizeof out);
    return out;
  }
};

// Which columns are used, of which kind they are, and where each stands among the slots.
class UsedColumns {
 public:
  explicit UsedColumns(std::vector<ColumnKind> kinds) : kinds_(std::move(kinds)), slot_(kinds_.size(), -1) {}
  explicit UsedColumns(std::span<const ColumnInput> inputs);

  // The slot of a column, given on first use.
  std::int32_t slot_of(std::int32_t feature);

  std::int32_t slot(std::int32_t feature) const { return slot_[feature]; }
  std::int32_t feature(std::int32_t slot) const { return features_[slot]; }
  ColumnKind kind(std::int32_t feature) const { return kinds_[feature]; }
  std::size_t size() const { return features_.size(); }
  std::size_t columns() const { return kinds_.size(); }

 private:
  std::vector<ColumnKind> kinds_;
  std::vector<std::int32_t> slot_, features_;
};

// One thread's current block.
class ColumnBlock {
 public:
  // inputs[f] is column f; `most_rows` of them are loaded at a time.
  ColumnBlock(const UsedColumns& used, std::span<const ColumnInput> inputs, std::size_t most_rows);
  // Rows [from, from + count), count at most `most_rows`. float64 is read in place.
  void load(std::size_t from, std::size_t count);

  const Slot& operator[](std::int32_t slot) const { return slots_[slot]; }
  std::size_t first_row() const { return from_; }
  const UsedColumns& used() const { return used_; }
  const ColumnInput& input(std::int32_t slot) const { return inputs_[used_.feature(slot)]; }

 private:
  const UsedColumns& used_;
  std::span<const ColumnInput> inputs_;
  std::size_t most_rows_;
  std::vector<Slot> slots_;
  std::vector<double> loaded_;
  std::size_t from_ = 0;
};

}  // namespace hardwood
