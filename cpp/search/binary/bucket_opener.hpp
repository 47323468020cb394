// Opening the buckets that could hold the best cut (docs/theory/rules.md#buckets).
//
// The codes of the opened buckets of a column are first summed in *slices*, runs of 2^shift codes. The ends of
// slices are cuts of the column, and corners bound the cuts inside a slice as they do inside a bucket, only
// closer. Then the slices that could still win, a few rows, are searched code by code. Where the rows of two
// classes are known as bits, rows are read in the order of their codes instead of being gathered
// (code_run_rows.hpp).
#pragma once

#include <array>
#include <vector>

#include "search/binary/code_rows.hpp"
#include "search/binary/code_run_rows.hpp"
#include "search/binary/cuts.hpp"
#include "search/binary/slice_sums.hpp"
#include "search/groups.hpp"
#include "search/node_view.hpp"
#include "search/split.hpp"

namespace hardwood {

// A bucketed column at a node: its non-empty buckets and what no cut inside each can cost less than.
struct NotedColumn {
  std::uint32_t column;
  double lowest;  // of the bounds
  std::vector<std::uint32_t> bucket;
  std::vector<double> bound;
  bool by_order = false;  // the bounds know the remembered order
};

template <class Cell>
class BucketOpener {
 public:
  // Before columns of a node that keeps sums are opened, a few at once.
  void prepare(const NodeView<Cell>& view, std::span<NotedColumn* const> columns, double best_cost);

  // Opens the buckets whose bound does not exceed the best cost; improves `best`. Returns how many rows it
  // read. `bits` are the node's rows; null: they are read by their numbers.
  std::size_t run(const NodeView<Cell>& view, NotedColumn& noted, const RowBits* bits, Split& best);

  // Every present value of a bucketed column as a group of its own.
  const Groups& open_all(const NodeView<Cell>& view, std::uint32_t column);

  // Of two classes: for each bucket, no less than the most that the shares of the classes' weights below a cut
  // inside it differ.
  std::vector<double> unevenness(const NodeView<Cell>& view, std::uint32_t column);

 private:
  // A bucket to open: its slices are [first, first + slices) beside those of the others; `after` is the bucket
  // of the node's next value.
  struct Opened {
    std::uint32_t bucket, after, first, slices;
    double bound;
  };
  // A slice to search code by code.
  struct Slice {
    std::uint32_t at, bucket, after;
    double bound;
  };
  void open_every(const NodeView<Cell>& view, std::uint32_t column);
  bool choose(const NodeView<Cell>& view, NotedColumn& noted, double best_cost);
  void open(const NodeView<Cell>& view, NotedColumn& noted, std::uint32_t least_width, double cost);
  void gather_rows(const NodeView<Cell>& view, const EncodedColumn& column, const RowBits* bits);
  bool use_kept(const NodeView<Cell>& view, std::uint32_t column);
  void set_slices(const EncodedColumn& column, std::size_t most);
  void place_opened(const EncodedColumn& column);
  void sum_slices(const NodeView<Cell>& view, const EncodedColumn& column);
  void try_bucket(const NodeView<Cell>& view, std::uint32_t column, std::size_t opened, Split& best);
  void note_slices(const NodeView<Cell>& view, const Opened& opened, double cost);
  template <class Item, class RunOf>
  std::size_t try_in_order(const NodeView<Cell>& view, std::uint32_t column, const RowBits& bits,
                           const std::vector<Item>& items, const std::vector<double>& before, RunOf run_of,
                           Split& best);
  void try_slices(const NodeView<Cell>& view, std::uint32_t column, const RowBits* bits, Split& best);
  void collect_codes(const NodeView<Cell>& view, const EncodedColumn& column);
  void try_groups(const NodeView<Cell>& view, std::uint32_t column, std::uint32_t bucket, std::uint32_t after,
                  bool bounds, Split& best);
  void set_missing(const NodeView<Cell>& view, const EncodedColumn& column);
  std::uint32_t last_code(const EncodedColumn& column, std::uint32_t bucket, std::uint32_t code) const;

  std::vector<Opened> opened_;
  std::vector<double> before_;  // per opened bucket and channel: weight in the buckets before it
  double opened_weight_ = 0;
  std::vector<double> running_;
  OpenedRows rows_;
  bool gathered_ = false;  // rows_ are those of the opened buckets alone
  SliceDivision division_;
  std::vector<std::uint32_t> chosen_;  // buckets that are opened
  std::vector<Cell> table_;            // per channel and slice, where they are not kept
  std::vector<const Cell*> sums_;      // per channel: by slice
  std::vector<Slice> slices_;
  std::vector<double> slice_before_;  // per slice to search and channel: weight before it
  std::vector<std::uint32_t> slice_of_;
  std::vector<CodeRow<Cell>> codes_;
  CodeRunRows run_rows_;
  std::vector<std::uint32_t> promising_;  // numbers of buckets or slices, the lowest bound first
  Groups groups_, values_;
  CutSearch cuts_;
};

extern template class BucketOpener<std::uint32_t>;
extern template class BucketOpener<std::int64_t>;

}  // namespace hardwood
