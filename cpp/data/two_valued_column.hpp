// A numeric column that may have one or two values only, put into a narrow word block by block.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "data/bundle.hpp"
#include "data/two_values.hpp"

namespace hardwood {

class TwoValuedColumn {
 public:
  // Takes a field of the list's last word, which belongs to the column until `finish`; null: not good.
  TwoValuedColumn(std::vector<NarrowWord>* list, std::uint32_t column, std::size_t rows)
      : column_(column), good_(list != nullptr && rows > 0) {
    if (!good_) return;
    shift_ = reserve_narrow(*list, column, 2, rows).shift;
    list_ = list;
    word_ = list->size() - 1;
  }

  bool good() const { return good_; }

  void add(const ValueBlock& block) {
    if (values_.empty() && std::isfinite(block.values[0])) values_.push_back(block.values[0] + 0.0);
    good_ = !values_.empty() && (mark(block) || (find_other(block) && mark(block)));
  }

  // Whether the column is done; if so, values() has its values, and a column of two its codes. Otherwise
  // there is nothing left of it.
  bool finish() {
    if (!list_) return false;
    NarrowWord& word = (*list_)[word_];
    const std::uint64_t bit = std::uint64_t{1} << shift_;
    if (!good_ || values_.size() < 2) {
      if (values_.size() > 1)
        for (std::uint64_t& each : word.words) each &= ~bit;
      std::erase_if(word.fields, [&](const NarrowField& field) { return field.column == column_; });
      word.used = word.fields.empty() ? 0 : word.fields.back().shift + word.fields.back().bits;
      return good_;
    }
    if (values_[0] > values_[1]) {
      std::swap(values_[0], values_[1]);
      for (std::uint64_t& each : word.words) each ^= bit;
    }
    return true;
  }

  const std::vector<double>& values() const { return values_; }

 private:
  bool mark(const ValueBlock& block) const {
    return TwoValues(values_.front(), values_.back())
        .mark(block, (*list_)[word_].words.data() + block.begin, shift_);
  }
  // The first other value of a block, if there is not one already.
  bool find_other(const ValueBlock& block) {
    if (values_.size() > 1) return false;
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.values[i] == values_[0]) continue;
      if (!std::isfinite(block.values[i])) return false;
      values_.push_back(block.values[i] + 0.0);
      return true;
    }
    return false;
  }

  std::uint32_t column_;
  bool good_;
  std::vector<NarrowWord>* list_ = nullptr;
  std::size_t word_ = 0;
  int shift_ = 0;
  std::vector<double> values_;
};

}  // namespace hardwood
