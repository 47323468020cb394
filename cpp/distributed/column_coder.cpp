#include "distributed/column_coder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hardwood {

namespace {

constexpr double table_span = 1 << 16;
constexpr std::uint32_t unknown = ~std::uint32_t{0};

[[noreturn]] void refuse_unknown() {
  throw std::invalid_argument("a value that was not there when the codebooks were made");
}

// The code of every whole number from the first to the last key; empty where that is no way to code them.
std::vector<std::uint32_t> table_of(const std::vector<std::uint64_t>& keys) {
  const double low = value_of(keys.front()), high = value_of(keys.back());
  if (!(high - low < table_span)) return {};
  std::vector<std::uint32_t> table(static_cast<std::size_t>(high - low) + 1, unknown);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const double value = value_of(keys[k]);
    if (value != std::floor(value)) return {};
    table[static_cast<std::size_t>(value - low)] = static_cast<std::uint32_t>(k);
  }
  return table;
}

}  // namespace

ColumnCoder::ColumnCoder(const ColumnPlan& plan, const ColumnInput& input) : plan_(&plan), input_(input) {
  keys_.fill(~std::uint64_t{0});
  if (plan.keys.size() < ladder) std::copy(plan.keys.begin(), plan.keys.end(), keys_.begin());
  if (plan.coding != PartCoding::coded || plan.kind != ColumnKind::numeric || plan.keys.empty()) return;
  low_ = value_of(plan.keys.front());
  high_ = value_of(plan.keys.back());
  if (plan.keys.size() == 2) two_.emplace(low_, high_);
  if (input.kind == ColumnKind::numeric) table_ = table_of(plan.keys);
}

// The number of the codebook's keys below each key: some searches step by step together, so that none waits
// for its own last step and nothing is guessed.
void ColumnCoder::search(const std::uint64_t* keys, std::size_t rows, std::uint32_t* places) const {
  for (std::size_t first = 0; first < rows; first += together) {
    const std::uint64_t* key = keys + first;
    std::uint32_t* place = places + first;
    const std::size_t count = std::min(together, rows - first);
    std::fill_n(place, count, 0);
    for (std::uint32_t half = ladder / 2; half; half /= 2)
      for (std::size_t i = 0; i < count; ++i)
        place[i] += half & (0 - static_cast<std::uint32_t>(keys_[place[i] + half - 1] < key[i]));
  }
}

bool ColumnCoder::add_two_valued(const ValueBlock& block, std::uint64_t* words, int shift) const {
  return two_ && block.values && two_->mark(block, words, shift);
}

void ColumnCoder::code(const ValueBlock& block, std::uint32_t* codes, std::uint64_t* kept) const {
  if (input_.kind == ColumnKind::category) code_categories(block, codes, kept);
  else if (!table_.empty()) code_by_table(block, codes);
  else code_by_search(block, codes, kept);
}

void ColumnCoder::code_categories(const ValueBlock& block, std::uint32_t* codes, std::uint64_t* kept) const {
  const auto* given = reinterpret_cast<const std::int32_t*>(input_.data) + block.begin;
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (given[i] >= static_cast<std::int64_t>(plan_->categories) || (given[i] < 0 && !plan_->missing_code))
      refuse_unknown();
    codes[i] = given[i] < 0 ? plan_->categories : static_cast<std::uint32_t>(given[i]);
    if (kept) kept[i] = given[i] < 0 ? missing_key : static_cast<std::uint64_t>(given[i]);
  }
}

void ColumnCoder::code_by_table(const ValueBlock& block, std::uint32_t* codes) const {
  const std::uint32_t missing = plan_->values();
  for (std::size_t i = 0; i < block.rows; ++i) {
    const double x = block.values[i];
    if (x != x) {
      if (!plan_->missing_code) refuse_unknown();
      codes[i] = missing;
      continue;
    }
    if (!(x >= low_ && x <= high_)) refuse_unknown();
    const auto at = static_cast<std::size_t>(x - low_);
    codes[i] = table_[at];
    if (codes[i] == unknown || static_cast<double>(at) != x - low_) refuse_unknown();
  }
}

void ColumnCoder::code_by_search(const ValueBlock& block, std::uint32_t* codes, std::uint64_t* kept) const {
  std::uint64_t own[ValueBlocks::block_rows];
  std::uint64_t* keys = kept ? kept : own;
  for (std::size_t i = 0; i < block.rows; ++i) keys[i] = block.key(i);
  search(keys, block.rows, codes);
  for (std::size_t i = 0; i < block.rows; ++i) {
    if (block.present(i)) {
      if (!kept && (codes[i] == plan_->keys.size() || plan_->keys[codes[i]] != keys[i])) refuse_unknown();
      continue;
    }
    if (!plan_->missing_code) refuse_unknown();
    codes[i] = plan_->values();
    keys[i] = missing_key;
  }
}

}  // namespace hardwood
