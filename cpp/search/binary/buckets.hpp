// Opening the buckets that could hold the best cut (docs/theory/rules.md#buckets).
#pragma once

#include <vector>

#include "search/binary/cuts.hpp"
#include "search/groups.hpp"
#include "search/node_view.hpp"
#include "search/split.hpp"

namespace hardwood {

template <class Cell>
class BucketSearch {
 public:
  void clear() { used_ = 0; }

  // Notes a bucketed column: groups are its non-empty buckets, bound[i] that of group i.
  void note(std::uint32_t column, const Groups& groups, const std::vector<double>& bound);

  // Opens every noted bucket whose bound does not exceed the best cost; improves `best`.
  void run(const NodeView<Cell>& view, Split& best);

  // Every present value of a bucketed column as a group of its own.
  const Groups& open_all(const NodeView<Cell>& view, std::uint32_t column);

 private:
  struct Noted {
    std::uint32_t column;
    double lowest;
    std::vector<std::uint32_t> bucket;
    std::vector<double> bound;
  };
  // A bucket to open: its codes take the places [first, first + width) beside those of the others.
  struct Opened {
    std::uint32_t bucket, next_bucket, first, width;
  };
  struct Row {
    std::uint32_t place, channel;
    double weight, examples;
  };

  bool choose(const NodeView<Cell>& view, const Noted& noted, double best_cost);
  void open(const NodeView<Cell>& view, const Noted& noted, std::uint32_t least_width, double cost);
  void collect_rows(const NodeView<Cell>& view, const EncodedColumn& column);
  void group_by_table(const NodeView<Cell>& view, const EncodedColumn& column);
  void group_by_sorting(const NodeView<Cell>& view, const EncodedColumn& column);
  void start(std::size_t opened, int channels);
  void set_missing(const NodeView<Cell>& view, const EncodedColumn& column);
  void group_rows(const NodeView<Cell>& view, const EncodedColumn& column);
  void try_groups(const NodeView<Cell>& view, std::uint32_t column, Split& best);
  std::uint32_t places() const { return opened_.back().first + opened_.back().width; }

  std::vector<Noted> noted_;
  std::size_t used_ = 0;
  std::vector<Opened> opened_;
  std::vector<double> before_;   // per opened bucket and channel: weight in the buckets before it
  std::vector<double> running_;  // prefix sums of the bucket being grouped
  std::vector<Row> rows_;
  std::vector<std::uint32_t> matched_;
  std::vector<double> table_;
  std::vector<std::uint32_t> group_bucket_;  // which opened bucket each group belongs to
  Groups groups_;
  CutSearch cuts_;
};

extern template class BucketSearch<std::uint32_t>;
extern template class BucketSearch<std::int64_t>;

}  // namespace hardwood
