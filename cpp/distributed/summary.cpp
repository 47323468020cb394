#include "distributed/summary.hpp"

#include <algorithm>
#include <bit>

#include "distributed/column_keys.hpp"

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

// Evenly spaced rows' keys, in order.
std::vector<std::uint64_t> sampled(const ColumnKeys& column, std::size_t rows, std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, rows / most);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < rows; i += step)
    if (column.present(i)) out.push_back(column.key(i));
  std::sort(out.begin(), out.end());
  return out;
}

ColumnSummary summarise_column(const ColumnKeys& column, std::size_t rows, const SummaryLimits& limits) {
  ColumnSummary out;
  FewKeys few(limits.distinct);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!column.present(i)) {
      out.has_missing = true;
    } else if (!few.add(column.key(i))) {
      out.complete = false;
      out.keys = sampled(column, rows, limits.sample);
      return out;
    }
  }
  out.keys = few.sorted();
  return out;
}

}  // namespace

std::vector<ColumnSummary> summarise(const std::vector<ColumnInput>& inputs, std::size_t rows,
                                     const SummaryLimits& limits, Pool& pool, const Poll& poll) {
  std::vector<ColumnSummary> out(inputs.size());
  const ColumnGroups groups(inputs);
  const auto numeric = [&](std::size_t c) { return inputs[c].kind != ColumnKind::category; };
  const auto tasks = std::min<std::size_t>(groups.size(), static_cast<std::size_t>(pool.size()));
  pool.parallel_for(tasks, [&](std::size_t task) {
    LargeVector<double> buffer;
    for (std::size_t g = task; g < groups.size(); g += tasks) {
      poll();
      groups.read(g, rows, buffer, numeric, [&](std::size_t c, const ColumnKeys& column) {
        out[c] = summarise_column(column, rows, limits);
      });
    }
  });
  return out;
}

}  // namespace hardwood
