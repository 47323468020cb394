// The best split of a node whose rows are not in memory, from sums over all parts.
//
// First every column is tried at the resolution of its lane, as search/node_search.hpp does it; what could
// be hidden inside buckets is told by `wanted` and comes back, merged over the parts, through `offer`, in
// pieces first where there are many rows, until nothing is wanted any more. Cuts of
// coded columns are codes, cuts of bucketed ones are keys; the order of candidates is the core's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "distributed/part.hpp"
#include "distributed/place_search.hpp"
#include "search/binary/cuts.hpp"
#include "search/binary/subsets.hpp"
#include "search/fractional/fractional_search.hpp"
#include "search/groups.hpp"
#include "search/multiway/multiway_search.hpp"
#include "search/split.hpp"

namespace hardwood {

struct WantedKeys {
  std::uint32_t column;
  std::vector<KeyInterval> intervals;
  double keys = 0;  // how many are to be expected, at most
};

struct ColumnPlaces {
  std::uint32_t column;
  PlaceSearch search;
};

class MergedSearch {
 public:
  // `present` are the classes of the node, ascending; `totals` its sums over them (and examples).
  // Histograms have `channels` channels. fractional: missing values go down every branch.
  MergedSearch(const TablePlan& plan, NodeTotals totals, std::vector<int> present, int channels,
               bool fractional);

  // Tries all columns that have lanes; null: all are allowed.
  void run(const std::int64_t* cells, const std::vector<char>* allowed);
  // An uncoded column's categories.
  void try_uncoded(std::uint32_t column, const KeySums& sums);
  // Runs of keys that could hold the best cut, the node having so many rows; long runs in pieces. (To ask for
  // the leading column first, whose best cut may rule out others, saved a hundredth of the keys and cost a
  // round trip for every level of a tree.)
  std::vector<WantedKeys> wanted(double rows);
  // What was wanted of a column last.
  void offer(const std::int64_t* cells, std::uint32_t column, const KeySums& sums);

  const Split& best() const { return best_; }
  bool exact() const { return exact_; }
  const NodeTotals& totals() const { return totals_; }

  // The bucketed columns whose keys decide about functions of three or more branches, and what is to be asked
  // of them first, the node having so many rows.
  std::vector<ColumnPlaces> places(const MultiwayRequest& request, const std::int64_t* cells, double rows,
                                   const std::vector<char>* allowed);
  // The best function of three or more branches; `places` of the bucketed columns, `uncoded` by column.
  Split multiway(const MultiwayRequest& request, const std::int64_t* cells,
                 const std::vector<ColumnPlaces>& places, const std::vector<KeySums>& uncoded,
                 const std::vector<char>* allowed);
  const std::vector<int>& channels() const { return channel_; }

 private:
  // Adjacent keys of one bucket: what stands before them, what they weigh, what a cut inside can cost.
  struct Run {
    std::uint64_t low, high;
    std::size_t place;  // of the bucket among those present
    std::vector<double> before;
    double weight, bound;
  };
  struct Noted {
    std::uint32_t column;
    std::vector<std::uint32_t> bucket;  // those present
    std::vector<Run> runs;              // ascending; not yet opened
    std::vector<Run> asked;
  };

  WantedKeys wanted_of(Noted& noted, double rows);
  // The largest bound that could be beaten by nothing but rounding.
  double may_win_upto() const;
  // Cuts after the groups; the bounds of what is inside them.
  template <class CutOf, class Describe>
  const std::vector<double>& try_cuts(std::uint32_t column, CutSearch::Scope scope, CutOf cut_of,
                                      Describe describe);

  std::vector<std::size_t> channel_offsets(std::size_t column_offset) const;
  void fill_lane(const std::int64_t* cells, std::uint32_t column);
  void fill_keys(const KeySums& sums);
  std::vector<std::size_t> fill_asked(const Noted& noted, const KeySums& sums);
  void check_whole() const;  // that all of the node's weight is in the groups
  void try_column(std::uint32_t column);
  Split multiway_of(const MultiwayRequest& request, ColumnKind kind, std::uint32_t column);
  Split multiway_between(const MultiwayRequest& request, const std::int64_t* cells, const ColumnPlaces& places);
  void set_missing(const std::int64_t* cells, std::uint32_t column);

  const TablePlan& plan_;
  NodeTotals totals_;
  std::vector<int> channel_;  // of histograms: the classes present, then examples when counted
  int channels_;
  Split best_;
  bool exact_ = true;
  Groups groups_;
  CutSearch cuts_;
  SubsetSearch subsets_;
  std::unique_ptr<FractionalColumns> fractional_;  // null: rows are whole
  std::vector<Noted> noted_;
};

}  // namespace hardwood
