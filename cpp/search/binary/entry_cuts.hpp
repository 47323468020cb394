// The best split of a node on the columns that are stored as entries.
//
// Every such column has one code that most rows share and that takes no work. One side of any split is without
// it, so the class weights of the node's entries bound what the column can do (docs/theory/rules.md#corners).
// Columns are tried in the order of that bound until none can win: first the buckets of their codes, then the
// codes of the buckets that could still win. A node with few entries has them sorted instead.
#pragma once

#include <functional>
#include <vector>

#include "search/binary/code_rows.hpp"
#include "search/binary/cuts.hpp"
#include "search/node_view.hpp"

namespace hardwood {

template <class Cell>
class EntryCuts {
 public:
  // A column with every present value as a group of its own.
  using Visit = std::function<void(std::uint32_t, const Groups&)>;

  // `allowed` says per column whether it may be split on; null: all may. Improves `best`; columns that this
  // search does not divide itself go to `whole`, which improves it as well.
  void run(const NodeView<Cell>& view, const std::vector<char>* allowed, const Visit& whole, Split& best);

 private:
  // A column with entries in the node; those of a sorted node are rows [begin, end).
  struct Candidate {
    std::uint32_t column;
    std::size_t begin, end;
    double bound;
  };
  static bool before(const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.column < b.column;
  }
  // A bucket to search code by code; `after`: the node has values above it.
  struct Run {
    std::uint32_t column, bucket;
    bool after;
    double bound;
  };

  void sum_buckets(const NodeView<Cell>& view);
  void sort_entries(const NodeView<Cell>& view, std::size_t count);
  void find_candidates(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void find_sorted_candidates(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void add_candidate(const NodeView<Cell>& view, std::uint32_t column, std::size_t begin, std::size_t end);
  void bound_candidates(const NodeView<Cell>& view);
  void fill_buckets(const NodeView<Cell>& view, const EncodedColumn& column);
  void fill_sorted(const NodeView<Cell>& view, const Candidate& candidate);
  void try_buckets(const NodeView<Cell>& view, std::uint32_t column, const Visit& whole, Split& best);
  void note_runs(const NodeView<Cell>& view, std::uint32_t column, double cost);
  void try_runs(const NodeView<Cell>& view, Split& best);
  void collect_runs(const NodeView<Cell>& view);
  // What the node has in channel k besides the entries of a column.
  double rest_of(const NodeView<Cell>& view, const EncodedColumn& column, int k) const;

  std::vector<Cell> table_;  // per channel and bucket
  std::vector<CodeRow<Cell>> rows_;
  std::vector<Candidate> candidates_;
  std::vector<double> sums_;  // per candidate and channel
  std::vector<double> rest_;  // of the node, without a column's entries
  std::vector<double> left_, cost_, bound_, work_;
  std::vector<Run> runs_;
  std::vector<double> run_before_;     // per run and channel: weight before it
  std::vector<std::uint32_t> run_of_;  // per bucket; none but for the runs
  Groups groups_;
  CutSearch cuts_;
};

extern template class EntryCuts<std::uint32_t>;
extern template class EntryCuts<std::int64_t>;

}  // namespace hardwood
