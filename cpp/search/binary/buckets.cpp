#include "search/binary/buckets.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <type_traits>

#include "search/binary/bucket_order.hpp"
#include "search/binary/kept_slices.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t shared_rows = 1 << 14;  // the columns of smaller nodes are opened by one thread

template <class Cell>
std::size_t columns_at_once(const NodeView<Cell>& view) {
  return view.kept ? KeptSlices<Cell>::at_once : 1;
}

}  // namespace

template <class Cell>
void BucketSearch<Cell>::note(std::uint32_t column, const Groups& groups, const std::vector<double>& bound) {
  NotedColumn& out = notes_.add();
  out.column = column;
  out.by_order = false;
  out.bucket.assign(groups.code.begin(), groups.code.begin() + groups.count);
  out.bound.assign(bound.begin(), bound.begin() + groups.count);
  out.lowest = *std::min_element(out.bound.begin(), out.bound.end());
}

template <class Cell>
void BucketSearch<Cell>::add(const BucketSearch& other) {
  for (std::size_t i = 0; i < other.notes_.used; ++i) notes_.add() = other.notes_.columns[i];
}

template <class Cell>
double BucketSearch<Cell>::lowest(double cost) const {
  double out = impossible;
  for (std::size_t i = 0; i < notes_.used; ++i) out = std::min(out, notes_.columns[i].lowest);
  return out <= cost * prune_margin ? out : impossible;
}

template <class Cell>
auto BucketSearch<Cell>::openers(std::size_t count) -> Openers& {
  while (openers_.size() < count) openers_.push_back(std::make_unique<BucketOpener<Cell>>());
  return openers_;
}

template <class Cell>
void BucketSearch<Cell>::run(const NodeView<Cell>& view, Pool* pool, Split& best) {
  std::vector<NotedColumn*> order;
  for (std::size_t i = 0; i < notes_.used; ++i)
    if (notes_.columns[i].lowest <= best.cost * prune_margin) order.push_back(&notes_.columns[i]);
  if (order.empty()) return;
  // The column that leads comes first: what is found in it spares the others.
  const std::uint32_t leader = best.column;
  std::sort(order.begin(), order.end(), [&](const NotedColumn* a, const NotedColumn* b) {
    return std::tuple(a->column != leader, a->lowest, a->column) <
           std::tuple(b->column != leader, b->lowest, b->column);
  });
  const RowBits* bits = view.bits;
  const EncodedTable& table = *view.problem.table;
  // To set them costs as much as to read the rows of two columns.
  if (!bits && order.size() > 2 &&
      RowBits::pays(table, view.node.size() - 2 * view.node.size() / order.size())) {
    row_bits_.set(table, view.node, view.rows, pool);
    bits = &row_bits_;
  }
  const std::size_t some = columns_at_once(view);
  // One column goes ahead of the others; with kept sums the threads have columns of their own at once.
  const std::size_t ahead_of_all = view.kept ? 0 : 1;
  std::size_t rows = 0;
  Columns others = order;
  const auto open_next = [&](std::size_t count) {
    rows += open_some(view, *openers(1)[0], others.first(count), bits, best);
    others = others.subspan(count);
  };
  open_next(ahead_of_all);
  if (pool && pool->size() > 1 && view.node.size() >= shared_rows && others.size() > 1)
    rows += share_out(view, *pool, others, bits, best);
  else
    while (!others.empty()) open_next(std::min(some, others.size()));
  if constexpr (std::is_same_v<Cell, std::int64_t>)
    if (view.order) view.order->count_opened(view, rows);
}

// Columns that keep sums are summed a few at once.
template <class Cell>
std::size_t BucketSearch<Cell>::open_some(const NodeView<Cell>& view, BucketOpener<Cell>& opener,
                                          Columns columns, const RowBits* bits, Split& best) {
  if (view.kept) opener.prepare(view, columns, best.cost);
  std::size_t rows = 0;
  for (NotedColumn* noted : columns) rows += opener.run(view, *noted, bits, best);
  return rows;
}

// Each thread takes the next columns with the best split so far; which one that is changes the work, never the
// result.
template <class Cell>
std::size_t BucketSearch<Cell>::share_out(const NodeView<Cell>& view, Pool& pool, Columns columns,
                                          const RowBits* bits, Split& best) {
  const auto threads = std::min(static_cast<std::size_t>(pool.size()), columns.size());
  openers(threads);
  std::size_t rows = 0;
  std::mutex mutex;
  pool.parallel_for(threads, [&](std::size_t t) {
    for (;;) {
      Split own;
      Columns taken;
      {
        std::lock_guard lock(mutex);
        if (columns.empty()) return;
        // Fewer towards the end, so that the threads end together.
        const std::size_t share = columns.size() / (2 * threads);
        taken = columns.first(std::clamp<std::size_t>(share, 1, columns_at_once(view)));
        columns = columns.subspan(taken.size());
        own = best;
      }
      const std::size_t read = open_some(view, *openers_[t], taken, bits, own);
      std::lock_guard lock(mutex);
      rows += read;
      if (own.found() && precedes(own, best)) best = std::move(own);
    }
  });
  return rows;
}

template class BucketSearch<std::uint32_t>;
template class BucketSearch<std::int64_t>;

}  // namespace hardwood
