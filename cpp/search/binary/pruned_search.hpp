// The best split of a node from its heaviest rows first: lanes that cannot win are left alone.
//
// The node's rows stand by class, each class's in (about) decreasing weight. They are looked at in blocks
// of growing size. After a block every lane still in play has a bound from the rows seen: no cut of its
// columns costs less than what they cost on either side (docs/theory/rules.md#corners; for stumps this is
// AAA18's L). The most promising lane is completed at once, which gives an exact cost to beat; lanes whose
// bound exceeds it are dropped. What is left at the end is searched exactly, so the result is that of
// looking at everything. Two classes, no limits on the branches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hpp"
#include "histogram/histogram.hpp"
#include "search/binary/node_search.hpp"

namespace hardwood {

class PrunedSearch {
 public:
  using Cell = std::int64_t;

  struct Result {
    Split split;
    std::int64_t assessments = 0;
  };

  // `cells` is a histogram buffer to work in.
  Result run(const Problem& problem, const HistogramLayout& layout, const NodeRows& node,
             const std::uint32_t* rows, Cell* cells, const NodeTotals& totals,
             const std::vector<char>* allowed);

 private:
  struct LaneState {
    std::uint32_t lane;
    double bound = 0;
    std::int64_t columns = 0;  // allowed ones
    bool complete = false;
  };

  void start(const NodeView<Cell>& view, Cell* cells, const std::vector<char>* allowed);
  void add_rows(const NodeView<Cell>& view, Cell* cells, const std::vector<std::uint32_t>& to);
  void add_rows_of(const NodeView<Cell>& view, Cell* cells, std::span<const std::uint32_t> lanes,
                   const std::vector<std::uint32_t>& from);
  bool all_seen(const NodeView<Cell>& view) const;
  std::vector<std::uint32_t> next_block(const NodeView<Cell>& view) const;
  void set_bounds(const NodeView<Cell>& view, const std::vector<char>* allowed);
  void complete(const NodeView<Cell>& view, Cell* cells, LaneState& lane, const std::vector<char>* allowed);
  void drop_losers();

  NodeSearch<Cell> search_;
  std::vector<LaneState> lanes_;
  std::vector<std::uint32_t> seen_;  // per class present: end of the rows seen
  double unseen_[2] = {0, 0};
  std::int64_t assessments_ = 0;
};

}  // namespace hardwood
