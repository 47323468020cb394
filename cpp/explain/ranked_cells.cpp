#include "explain/ranked_cells.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hardwood {

RankedCells::RankedCells(const CellForest& forest, std::span<const double> cost,
                         std::span<const std::int32_t> own)
    : rank_begin_{0}, word_begin_{0}, mask_begin_{0} {
  for (std::size_t j = 0; j < forest.columns(); ++j) {
    std::vector<std::int32_t> order;
    const std::int32_t begin = forest.column_begin[j], count = forest.column_begin[j + 1] - begin;
    for (std::int32_t cell = 0; cell < count; ++cell)
      if (std::isfinite(cost[begin + cell])) order.push_back(cell);
    const auto key = [&](std::int32_t cell) { return std::tuple(cost[begin + cell], cell != own[j], cell); };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    for (std::int32_t cell : order) {
      cell_.push_back(cell);
      cost_.push_back(cost[begin + cell]);
    }
    rank_begin_.push_back(cell_.size());
    word_begin_.push_back(word_begin_.back() + (order.size() + 63) / 64);
  }
  for (std::size_t q = 0; q < forest.conditions(); ++q) {
    const std::int32_t j = forest.condition_column[q];
    mask_.resize(mask_begin_[q] + words(j), 0);
    for (std::size_t rank = rank_begin_[j]; rank < rank_begin_[j + 1]; ++rank) {
      const std::size_t bit = rank - rank_begin_[j];
      if (forest.allowed[forest.cells_begin[q] + cell_[rank]])
        mask_[mask_begin_[q] + bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    mask_begin_.push_back(mask_.size());
  }
}

std::vector<std::uint64_t> RankedCells::everything() const {
  std::vector<std::uint64_t> bits(all_words(), 0);
  for (std::size_t j = 0; j + 1 < rank_begin_.size(); ++j)
    for (std::size_t bit = 0; bit < rank_begin_[j + 1] - rank_begin_[j]; ++bit)
      bits[word_begin_[j] + bit / 64] |= std::uint64_t{1} << (bit % 64);
  return bits;
}

}  // namespace hardwood
