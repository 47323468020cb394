// The cells of a forest in a row's order of cost, as bits: the lowest bit of a set is its cheapest cell.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "explain/cell_forest.hpp"

namespace hardwood {

constexpr std::int32_t nothing = -1;

class RankedCells {
 public:
  // `cost` per cell, infinite where the row may not go; `own` per column, the row's cell.
  RankedCells(const CellForest& forest, std::span<const double> cost, std::span<const std::int32_t> own);

  std::size_t words(std::int32_t column) const { return word_begin_[column + 1] - word_begin_[column]; }
  std::size_t all_words() const { return word_begin_.back(); }
  std::vector<std::uint64_t> everything() const;
  double cost(std::int32_t column, std::int32_t rank) const { return cost_[rank_begin_[column] + rank]; }
  std::int32_t cell(std::int32_t column, std::int32_t rank) const { return cell_[rank_begin_[column] + rank]; }
  // The part of a box, and of a condition, that is about its column.
  template <class Word>
  Word* part(Word* box, std::int32_t column) const {
    return box + word_begin_[column];
  }
  const std::uint64_t* mask(std::int32_t condition) const { return mask_.data() + mask_begin_[condition]; }
  bool has(std::int32_t condition, std::int32_t rank) const {
    return mask(condition)[rank / 64] >> (rank % 64) & 1;
  }

  // Cheapest cell of a box's column, or of what a condition leaves of it; `nothing` if there is none.
  std::int32_t lowest(const std::uint64_t* box, std::int32_t column) const {
    const std::uint64_t* own = part(box, column);
    for (std::size_t w = 0; w < words(column); ++w)
      if (own[w]) return static_cast<std::int32_t>(64 * w) + std::countr_zero(own[w]);
    return nothing;
  }
  std::int32_t lowest(const std::uint64_t* box, std::int32_t column, std::int32_t condition) const {
    const std::uint64_t *own = part(box, column), *allowed = mask(condition);
    for (std::size_t w = 0; w < words(column); ++w)
      if (const std::uint64_t both = own[w] & allowed[w])
        return static_cast<std::int32_t>(64 * w) + std::countr_zero(both);
    return nothing;
  }

 private:
  std::vector<std::size_t> rank_begin_, word_begin_, mask_begin_;
  std::vector<std::int32_t> cell_;
  std::vector<double> cost_;
  std::vector<std::uint64_t> mask_;
};

}  // namespace hardwood
