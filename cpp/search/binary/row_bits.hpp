// The rows of a node as bits in the order in which the table stores them, class by class. A column's bytes can
// then be looked through as they lie in memory, many at a time, instead of one by one by the rows' numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/pool.hpp"
#include "data/row_kernels.hpp"
#include "search/node_view.hpp"

namespace hardwood {

class RowBits {
 public:
  // False, and nothing is set, where looking through the whole table for each of so many columns costs more
  // than reading the node's rows. Classes are shared out over the pool, if there is one.
  template <class Cell>
  bool set(const NodeView<Cell>& view, std::size_t columns, Pool* pool) {
    const EncodedTable& table = *view.problem.table;
    const std::size_t cost = table.rows / row_kernels().rows_scanned_a_picked + 2 * view.node.size() / columns;
    if (table.stored.pairs != 1 || cost >= view.node.size()) return false;
    words_ = (table.rows + 63) / 64;
    bits_.resize(words_ * view.node.classes.size());
    const auto set_channel = [&](std::size_t channel) {
      const ClassRows& part = view.node.classes[channel];
      std::uint64_t* const own = bits_.data() + channel * words_;
      std::fill_n(own, words_, std::uint64_t{0});
      set_class(view.rows + part.begin, view.rows + part.end, own);
    };
    if (pool) pool->parallel_for(view.node.classes.size(), set_channel);
    else
      for (std::size_t channel = 0; channel < view.node.classes.size(); ++channel) set_channel(channel);
    return true;
  }
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
