// The rows of a node as bits in the order in which the table stores them, class by class. A column's bytes can
// then be looked through as they lie in memory, many at a time, instead of one by one by the rows' numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/pool.hpp"
#include "data/problem.hpp"
#include "data/row_kernels.hpp"

namespace hardwood {

class RowBits {
 public:
  RowBits() = default;
  // Not set.
  RowBits(std::size_t table_rows, std::size_t classes)
      : words_((table_rows + 63) / 64), bits_(words_ * classes) {}

  // Whether a node holds so many of the table's rows that looking through a column costs less than reading the
  // node's rows one by one.
  static bool pays(const EncodedTable& table, std::size_t rows) {
    return table.stored.pairs == 1 && table.rows < row_kernels().rows_scanned_a_picked * rows;
  }

  // Of rows that stand by class, in ascending order. Classes are shared out over the pool, if there is one.
  void set(const EncodedTable& table, const NodeRows& node, const std::uint32_t* rows, Pool* pool) {
    words_ = (table.rows + 63) / 64;
    bits_.resize(words_ * node.classes.size());
    const auto set_channel = [&](std::size_t channel) {
      const ClassRows& part = node.classes[channel];
      std::fill_n(of(channel), words_, std::uint64_t{0});
      set_class(rows + part.begin, rows + part.end, of(channel));
    };
    if (pool) pool->parallel_for(node.classes.size(), set_channel);
    else
      for (std::size_t channel = 0; channel < node.classes.size(); ++channel) set_channel(channel);
  }

  std::size_t words() const { return words_; }
  std::uint64_t* of(std::size_t channel) { return bits_.data() + channel * words_; }
  const std::uint64_t* of(std::size_t channel) const { return bits_.data() + channel * words_; }

 private:
  static void set_class(const std::uint32_t* row, const std::uint32_t* end, std::uint64_t* own) {
    while (row != end) {
      const std::uint32_t word = *row / 64;
      std::uint64_t bits = 0;
      for (; row != end && *row / 64 == word; ++row) bits |= std::uint64_t{1} << (*row % 64);
      own[word] = bits;
    }
  }

  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace hardwood
