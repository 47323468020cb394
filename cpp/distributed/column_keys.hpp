// One column of numbers as keys (data/keys.hpp), loaded from the caller's memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/large_vector.hpp"
#include "data/input.hpp"
#include "data/keys.hpp"
#include "data/load.hpp"

namespace hardwood {

class ColumnKeys {
 public:
  // `loaded`: the values of a numeric column, where they have been read already.
  ColumnKeys(const ColumnInput& input, std::size_t rows, const double* loaded) : input_(input) {
    if (input.kind == ColumnKind::numeric) {
      if (loaded) {
        values_ = loaded;
      } else if (is_plain(input)) {
        values_ = reinterpret_cast<const double*>(input.data);
      } else {
        loaded_.resize(rows);
        load_doubles({&input_, 1}, rows, loaded_);
        values_ = loaded_.data();
      }
    } else if (input.kind != ColumnKind::category) {
      load_keys(input, rows, keys_);
    }
  }

  bool any_infinite(std::size_t rows) const {
    bool found = false;
    for (std::size_t i = 0; values_ && i < rows; ++i)
      found |= std::abs(values_[i]) == std::numeric_limits<double>::infinity();
    return found;
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

// Columns that lie side by side in a row-major matrix are read together and share their cache lines.
class ColumnGroups {
 public:
  explicit ColumnGroups(std::span<const ColumnInput> inputs) : inputs_(inputs) {
    for (std::size_t c = 0; c < inputs.size(); c += count_.back()) {
      first_.push_back(c);
      count_.push_back(adjacent_columns(inputs, c, most));
    }
  }
  std::size_t size() const { return first_.size(); }

  // Calls visit(column, keys) for the group's columns that `wanted` names; category columns have no keys.
  template <class Wanted, class Visit>
  void read(std::size_t group, std::size_t rows, LargeVector<double>& buffer, Wanted wanted,
            Visit visit) const {
    const std::size_t first = first_[group], count = count_[group];
    const bool together = count > 1;
    if (together) load_doubles(inputs_.subspan(first, count), rows, buffer);
    for (std::size_t k = 0; k < count; ++k) {
      if (!wanted(first + k)) continue;
      const ColumnInput& input = inputs_[first + k];
      visit(first + k, ColumnKeys(input, rows, together ? buffer.data() + k * rows : nullptr));
    }
  }

 private:
  static constexpr std::size_t most = 8;
  std::span<const ColumnInput> inputs_;
  std::vector<std::size_t> first_, count_;
};

}  // namespace hardwood
