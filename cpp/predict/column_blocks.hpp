// The columns that trees ask about, a block of rows at a time, as float64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
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

// Which columns are used, and where each stands among the slots.
class UsedColumns {
 public:
  explicit UsedColumns(std::span<const ColumnInput> inputs) : inputs_(inputs), slot_(inputs.size(), -1) {}

  // The slot of a column, given on first use.
  std::int32_t slot_of(std::int32_t feature);

  const ColumnInput& input(std::int32_t slot) const { return inputs_[features_[slot]]; }
  std::int32_t slot(std::int32_t feature) const { return slot_[feature]; }
  std::int32_t feature(std::int32_t slot) const { return features_[slot]; }
  ColumnKind kind(std::int32_t feature) const { return inputs_[feature].kind; }
  std::size_t size() const { return features_.size(); }

 private:
  std::span<const ColumnInput> inputs_;
  std::vector<std::int32_t> slot_, features_;
};

// One thread's current block.
class ColumnBlock {
 public:
  explicit ColumnBlock(const UsedColumns& used);
  // Rows [from, from + count), count at most block_rows. float64 is read in place.
  void load(std::size_t from, std::size_t count);

  const Slot& operator[](std::int32_t slot) const { return slots_[slot]; }
  std::size_t first_row() const { return from_; }
  const UsedColumns& used() const { return used_; }

 private:
  const UsedColumns& used_;
  std::vector<Slot> slots_;
  std::vector<double> loaded_;
  std::size_t from_ = 0;
};

}  // namespace hardwood
