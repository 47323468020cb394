// The many-valued columns of a node: which of them, and which of their buckets, could hold the best cut
// (docs/theory/rules.md#buckets).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/pool.hpp"
#include "search/binary/bucket_opener.hpp"

namespace hardwood {

template <class Cell>
class BucketSearch {
 public:
  void clear() { used_ = 0; }

  // Notes a bucketed column: groups are its non-empty buckets, bound[i] that of group i.
  void note(std::uint32_t column, const Groups& groups, const std::vector<double>& bound);

  // Notes what the other has.
  void add(const BucketSearch& other);

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

  std::vector<NotedColumn> noted_;
  std::size_t used_ = 0;
  Openers openers_;
  RowBits row_bits_;
};

extern template class BucketSearch<std::uint32_t>;
extern template class BucketSearch<std::int64_t>;

}  // namespace hardwood
