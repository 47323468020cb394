#include "distributed/summary.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "data/two_values.hpp"
#include "data/value_blocks.hpp"

namespace hardwood {

namespace {

// A set of keys that gives up beyond a limit.
class FewKeys {
 public:
  explicit FewKeys(std::size_t limit)
      : limit_(limit), slots_(std::bit_ceil(4 * limit + 4)), keys_(slots_), used_(slots_, 0) {}

  // False when the key is one too many.
  bool add(std::uint64_t key) {
    if (count_ > 1 && (key == last_ || key == other_)) return true;  // of two values, mostly
    other_ = last_;
    last_ = key;
    std::size_t at = (key * 0x9e3779b97f4a7c15u) >> 32 & (slots_ - 1);
    for (; used_[at]; at = (at + 1) & (slots_ - 1))
      if (keys_[at] == key) return true;
    if (count_ == limit_) return false;
    used_[at] = 1;
    keys_[at] = key;
    ++count_;
    return true;
  }

  std::size_t count() const { return count_; }
  std::vector<std::uint64_t> sorted() const {
    std::vector<std::uint64_t> out;
    for (std::size_t at = 0; at < slots_; ++at)
      if (used_[at]) out.push_back(keys_[at]);
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::size_t limit_, slots_, count_ = 0;
  std::uint64_t last_ = 0, other_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<char> used_;
};

// What is known of a column after some blocks.
struct Seen {
  FewKeys few;
  std::optional<TwoValues> two;  // of its values
  bool has_missing = false, too_many = false;
  bool whole = false;  // every value so far is a whole number

  bool settled() const { return too_many && !whole; }

  void add(const ValueBlock& block) {
    if (block.values && two && two->are_all(block)) return;
    if (whole) whole = block.all_whole();
    for (std::size_t i = 0; i < block.rows && !too_many; ++i) {
      if (!block.present(i)) has_missing = true;
      else too_many = !few.add(block.key(i));
    }
    if (!block.values || two || few.count() != 2) return;
    const std::vector<std::uint64_t> keys = few.sorted();
    two.emplace(value_of(keys[0]), value_of(keys[1]));
  }
};

std::size_t least_of_sample(const SummaryLimits& limits) {
  return std::max<std::size_t>(1, std::min(limits.sample, limits.distinct) / 4);
}

// Evenly spaced rows' keys, in order.
std::vector<std::uint64_t> sampled(const ValueBlocks& blocks, std::size_t column, std::size_t rows,
                                   std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, rows / most);
  std::vector<std::uint64_t> out, buffer;
  double value;
  for (std::size_t i = 0; i < rows; i += step) {
    const ValueBlock row = blocks.row(column, i, value, buffer);
    if (row.present(0)) out.push_back(row.key(0));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<ColumnSummary> summarise(const std::vector<ColumnInput>& inputs, std::size_t rows,
                                     const SummaryLimits& limits, Pool& pool, const Poll& poll) {
  std::vector<ColumnSummary> out(inputs.size());
  const ValueBlocks blocks(inputs);
  const auto numeric = [&](std::size_t c) { return inputs[c].kind != ColumnKind::category; };
  const auto tasks = std::min<std::size_t>(blocks.groups(), static_cast<std::size_t>(pool.size()));
  pool.parallel_for(tasks, [&](std::size_t task) {
    for (std::size_t g = task; g < blocks.groups(); g += tasks) {
      poll();
      const std::size_t first = blocks.first(g);
      std::vector<Seen> seen(blocks.end(g) - first, Seen{FewKeys(limits.distinct), {}});
      for (std::size_t c = first; c < blocks.end(g); ++c)
        seen[c - first].whole = inputs[c].kind == ColumnKind::numeric;
      blocks.read(
          g, rows, [&](std::size_t c) { return numeric(c) && !seen[c - first].settled(); },
          [&](std::size_t c, const ValueBlock& block) { seen[c - first].add(block); });
      for (std::size_t c = first; c < blocks.end(g); ++c) {
        if (!numeric(c)) continue;
        const Seen& own = seen[c - first];
        out[c].complete = !own.too_many;
        out[c].has_missing = own.has_missing;
        out[c].whole = own.whole;
        out[c].keys = own.too_many ? sampled(blocks, c, rows, limits.sample) : own.few.sorted();
        // Where nearly all rows miss a value the sample has hardly any, or none to lay bounds by.
        if (own.too_many && out[c].keys.size() < least_of_sample(limits)) out[c].keys = own.few.sorted();
      }
    }
  });
  return out;
}

}  // namespace hardwood
