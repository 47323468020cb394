// One column of numbers as keys (data/keys.hpp), loaded from the caller's memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/large_vector.hpp"
#include "data/infinite_value.hpp"
#include "data/input.hpp"
#include "data/keys.hpp"
#include "data/load.hpp"

namespace hardwood {

class ColumnKeys {
 public:
  // Throws InfiniteValue(number) on an infinite value.
  ColumnKeys(const ColumnInput& input, std::size_t rows, std::size_t number) : input_(input) {
    if (input.kind == ColumnKind::numeric) {
      if (is_plain(input)) {
        values_ = reinterpret_cast<const double*>(input.data);
      } else {
        loaded_.resize(rows);
        load_doubles({&input_, 1}, rows, loaded_);
        values_ = loaded_.data();
      }
      for (std::size_t i = 0; i < rows; ++i)
        if (std::isinf(values_[i])) throw InfiniteValue(number);
    } else {
      load_keys(input, rows, keys_);
    }
  }

  bool present(std::size_t i) const {
    return values_ ? values_[i] == values_[i] : !input_.missing || !input_.missing[i];
  }
  std::uint64_t key(std::size_t i) const { return values_ ? key_of(values_[i]) : keys_[i]; }
  // The column as float64 with NaN for missing values, or null.
  const double* values() const { return values_; }

 private:
  ColumnInput input_;
  const double* values_ = nullptr;
  LargeVector<double> loaded_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace hardwood
