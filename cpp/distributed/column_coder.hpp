// Values of one column -> codes that all parts share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/two_values.hpp"
#include "data/value_blocks.hpp"
#include "distributed/part_table.hpp"

namespace hardwood {

class ColumnCoder {
 public:
  // The plan must outlive this.
  ColumnCoder(const ColumnPlan& plan, const ColumnInput& input);

  // The codes of a block, and each row's key where `kept` is given (missing_key for a missing value). Throws
  // std::invalid_argument for a value that the plan does not know.
  void code(const ValueBlock& block, std::uint32_t* codes, std::uint64_t* kept) const;

  // Sets the bit `shift` of the words of rows that have the larger of the column's two values. False, with
  // nothing set, where that is not all there is to the block.
  bool add_two_valued(const ValueBlock& block, std::uint64_t* words, int shift) const;

 private:
  void code_categories(const ValueBlock& block, std::uint32_t* codes, std::uint64_t* kept) const;
  void code_by_table(const ValueBlock& block, std::uint32_t* codes) const;
  void code_by_search(const ValueBlock& block, std::uint32_t* codes, std::uint64_t* kept) const;

  void search(const std::uint64_t* keys, std::size_t rows, std::uint32_t* places) const;

  static constexpr std::size_t ladder = 256;  // more than a codebook has keys
  static constexpr std::size_t together = 16;
  const ColumnPlan* plan_;
  ColumnInput input_;
  double low_ = 0, high_ = 0;     // of the codebook
  std::optional<TwoValues> two_;  // the codebook, if there are two
  std::array<std::uint64_t, ladder> keys_;
  std::vector<std::uint32_t> table_;  // whole numbers of a small span: code of low + k
};

}  // namespace hardwood
