// The many-valued columns of a node: which of them, and which of their buckets, could hold the best cut
// (docs/theory/rules.md#buckets).
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "search/binary/bucket_opener.hpp"

namespace hardwood {

// The bucketed columns of a node.
struct BucketNotes {
  std::vector<NotedColumn> columns;  // those beyond `used` are there to be used again
  std::size_t used = 0;

  NotedColumn& add() {
    if (used == columns.size()) columns.emplace_back();
    return columns[used++];
  }
};

template <class Cell>
class BucketSearch {
 public:
  void clear() { notes_.used = 0; }

  // Notes a bucketed column: groups are its non-empty buckets, bound[i] that of group i.
  void note(std::uint32_t column, const Groups& groups, const std::vector<double>& bound);

  // Notes what the other has.
  void add(const BucketSearch& other);

  // What no cut inside a noted bucket costs less than; `impossible` where none could cost as little as this.
  double lowest(double cost) const;
  // The notes, which a later run goes on from; what was noted in `other` is forgotten.
  void exchange(BucketNotes& other) { std::swap(notes_, other); }

  // Opens every noted bucket whose bound does not exceed the best cost; improves `best`. The columns of a large
  // node are shared out over the pool, if there is one.
  void run(const NodeView<Cell>& view, Pool* pool, Split& best);

  // Every present value of a bucketed column as a group of its own.
  const Groups& open_all(const NodeView<Cell>& view, std::uint32_t column) {
    return openers(1)[0]->open_all(view, column);
  }

 private:
  using Openers = std::vector<std::unique_ptr<BucketOpener<Cell>>>;
  Openers& openers(std::size_t count);
  using Columns = std::span<NotedColumn* const>;
  std::size_t share_out(const NodeView<Cell>& view, Pool& pool, Columns columns, const RowBits* bits,
                        Split& best);
  std::size_t open_some(const NodeView<Cell>& view, BucketOpener<Cell>& opener, Columns columns,
                        const RowBits* bits, Split& best);

  BucketNotes notes_;
  Openers openers_;
  RowBits row_bits_;
};

extern template class BucketSearch<std::uint32_t>;
extern template class BucketSearch<std::int64_t>;

}  // namespace hardwood
