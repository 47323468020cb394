#include "search/binary/buckets.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <tuple>
#include <type_traits>

#include "search/binary/bucket_order.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t shared_rows = 1 << 14;  // the columns of smaller nodes are opened by one thread

}  // namespace

template <class Cell>
void BucketSearch<Cell>::note(std::uint32_t column, const Groups& groups, const std::vector<double>& bound) {
  if (used_ == noted_.size()) noted_.emplace_back();
  NotedColumn& out = noted_[used_++];
  out.column = column;
  out.bucket.assign(groups.code.begin(), groups.code.begin() + groups.count);
  out.bound.assign(bound.begin(), bound.begin() + groups.count);
  out.lowest = *std::min_element(out.bound.begin(), out.bound.end());
}

template <class Cell>
void BucketSearch<Cell>::add(const BucketSearch& other) {
  for (std::size_t i = 0; i < other.used_; ++i) {
    if (used_ == noted_.size()) noted_.emplace_back();
    noted_[used_++] = other.noted_[i];
  }
}

template <class Cell>
auto BucketSearch<Cell>::openers(std::size_t count) -> Openers& {
  while (openers_.size() < count) openers_.push_back(std::make_unique<BucketOpener<Cell>>());
  return openers_;
}

template <class Cell>
void BucketSearch<Cell>::run(const NodeView<Cell>& view, Pool* pool, Split& best) {
  std::vector<const NotedColumn*> order;
  for (std::size_t i = 0; i < used_; ++i)
    if (noted_[i].lowest <= best.cost * prune_margin) order.push_back(&noted_[i]);
  if (order.empty()) return;
  // The column that leads comes first: what is found in it spares the others.
  const std::uint32_t leader = best.column;
  std::sort(order.begin(), order.end(), [&](const NotedColumn* a, const NotedColumn* b) {
    return std::tuple(a->column != leader, a->lowest, a->column) <
           std::tuple(b->column != leader, b->lowest, b->column);
  });
  const RowBits* bits = row_bits_.set(view, order.size()) ? &row_bits_ : nullptr;
  BucketOpener<Cell>& opener = *openers(1)[0];
  std::size_t rows = opener.run(view, *order[0], bits, best);
  const std::span<const NotedColumn* const> others(order.begin() + 1, order.end());
  if (pool && pool->size() > 1 && view.node.size() >= shared_rows && others.size() > 1)
    rows += share_out(view, *pool, others, bits, best);
  else
    for (const NotedColumn* noted : others) rows += opener.run(view, *noted, bits, best);
  if constexpr (std::is_same_v<Cell, std::int64_t>)
    if (view.order) view.order->count_opened(view, rows);
}

// Each thread takes the next column with the best split so far; which one that is changes the work, never the
// result.
template <class Cell>
std::size_t BucketSearch<Cell>::share_out(const NodeView<Cell>& view, Pool& pool,
                                          std::span<const NotedColumn* const> columns, const RowBits* bits,
                                          Split& best) {
  const auto threads = std::min<std::size_t>(static_cast<std::size_t>(pool.size()), columns.size());
  openers(threads);
  std::atomic<std::size_t> next{0}, rows{0};
  std::mutex mutex;
  pool.parallel_for(threads, [&](std::size_t t) {
    for (;;) {
      const std::size_t i = next++;
      if (i >= columns.size()) return;
      Split own;
      {
        std::lock_guard lock(mutex);
        own = best;
      }
      rows += openers_[t]->run(view, *columns[i], bits, own);
      std::lock_guard lock(mutex);
      if (own.found() && precedes(own, best)) best = std::move(own);
    }
  });
  return rows;
}

template class BucketSearch<std::uint32_t>;
template class BucketSearch<std::int64_t>;

}  // namespace hardwood
