// The best split of a node, exactly, at the cost of histograms.
//
// First every column is tried at the resolution of its lane: exact for columns of at most 256 codes; for
// the others at the bucket boundaries, with a bound on the cuts inside each bucket from the bucket's class
// weights alone (docs/theory/rules.md#buckets). Then only those buckets are opened, row by row, whose bound
// does not exceed the best cost found. The result is that of trying every cut of every column.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "search/binary/buckets.hpp"
#include "search/binary/cuts.hpp"
#include "search/binary/entries.hpp"
#include "search/binary/entry_cuts.hpp"
#include "search/binary/side_weights.hpp"
#include "search/binary/subsets.hpp"
#include "search/node_view.hpp"
#include "search/split.hpp"

namespace hardwood {

template <class Cell>
class NodeSearch {
 public:
  // All but what needs opened buckets. `allowed` says per column whether it may be split on; null: all may.
  // With `sides`, which the first search, the root's, fills, two-valued columns are left out that cannot win by
  // it. A split that costs more than `most_cost` need not be found. Large nodes are shared out over the pool,
  // if there is one.
  void look(const NodeView<Cell>& view, const std::vector<char>* allowed, SideWeights* sides, double most_cost,
            Pool* pool);
  // After that: what no split costs less than whose bucket has not been opened; `impossible` where none could
  // be better than the best so far.
  double lowest() const { return buckets_.lowest(best_.cost); }
  // The search can be interrupted here and taken up with its notes and the best so far.
  Split put_off(BucketNotes& notes) {
    buckets_.exchange(notes);
    return std::move(best_);
  }
  void take_up(BucketNotes& notes, Split best) {
    buckets_.exchange(notes);
    best_ = std::move(best);
  }

  // The same in parts: begin, any lanes and the columns stored as entries, open_buckets, then finish. The best
  // so far may be looked at in between, once the buckets of the columns tried have been opened.
  void begin(double most_cost = impossible) {
    best_ = {};
    best_.cost = most_cost;
    exact_ = true;
    buckets_.clear();
  }
  void try_lane(const NodeView<Cell>& view, std::uint32_t lane, const std::vector<char>* allowed);
  // Columns that have a cell of their own.
  void try_flags(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void try_entries(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void open_buckets(const NodeView<Cell>& view, Pool* pool = nullptr);
  const Split& best() const { return best_; }
  Split finish() { return std::move(best_); }
  // False when a rule of thumb was used for some column's categories.
  bool exact() const { return exact_; }

  // One column whose groups are its lane's codes, or its codes; bounds of buckets are noted.
  void try_column(const NodeView<Cell>& view, std::uint32_t column, const Groups& groups);

  // A column's own cells per channel while rows are being seen: its lane's, or sums of them.
  const std::vector<const Cell*>& column_cells(const NodeView<Cell>& view, const Lane& lane, const Cell* cells,
                                               const EncodedColumn& column);

  // Calls visit(column, groups) for each column, every present value a group of its own.
  using Visit = std::function<void(std::uint32_t, const Groups&)>;
  void visit_lane(const NodeView<Cell>& view, std::uint32_t lane, const Visit& visit);
  void visit_entries(const NodeView<Cell>& view, const Visit& visit) { entries_.run(view, visit); }

 private:
  void look_through(const NodeView<Cell>& view, const std::vector<char>* allowed, Pool* pool);
  template <class Attempt>
  void share_out(const NodeView<Cell>& view, std::size_t count, Pool* pool, Attempt attempt);
  void fill_from_flag(const NodeView<Cell>& view, std::uint32_t flag);
  void fill_from_lane(const NodeView<Cell>& view, std::uint32_t lane, std::uint32_t column);
  void sum_bundled(const NodeView<Cell>& view, const Lane& lane, const Cell* cells,
                   const EncodedColumn& column);
  Split best_;
  bool exact_ = true;
  SideWeights* noting_ = nullptr;
  Groups groups_;
  CutSearch cuts_;
  SubsetSearch subsets_;
  BucketSearch<Cell> buckets_;
  EntryCuts<Cell> entry_cuts_;
  EntrySearch<Cell> entries_;
  std::vector<std::unique_ptr<NodeSearch>> others_;  // of the other threads
  std::vector<double> flag_left_, flag_cost_, flag_work_, flag_base_;
  std::vector<Cell> marginal_;
  std::vector<std::size_t> marginal_offset_;
  std::vector<const Cell*> from_;
  std::vector<Cell*> to_;
};

extern template class NodeSearch<std::uint32_t>;
extern template class NodeSearch<std::int64_t>;

}  // namespace hardwood
