// The places where the branches of a multi-way split may part in a bucketed column, found without all its keys.
//
// Of many values only boundary_points places are kept (search/multiway/boundary_points.hpp): for t = 1, 2, ...
// the first one that has t / (boundary_points + 1) of the weight below it. The column is a list of segments,
// at first its buckets:
//
//   segments    | key | run of keys ......... | key | key | bucket ............... |
//   opened                 if a place inside may be kept, first in shorter runs
//
// so only the neighbourhoods of the places are opened. Where it does not become clear that there are many
// places, everything is.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/key_sums.hpp"
#include "distributed/part_table.hpp"
#include "search/multiway/boundary_points.hpp"

namespace hardwood {

class PlaceSearch {
 public:
  // `buckets` are the column's groups at a node of so many rows; the node must outlive this.
  PlaceSearch(const ColumnPlan& plan, const Groups& buckets, const NodeTotals& node, double rows);

  // What is to be opened; nothing once the places are known.
  std::vector<KeyInterval> wanted();
  // The answer, with `width` weights a key, of which the buckets have these channels.
  void offer(const KeySums& sums, const std::vector<int>& channels, std::size_t width);

  // Whether every segment is one key.
  bool all_keys() const;
  // The segments as groups, and their places.
  void fill(Groups& groups, MergedGroups& merged) const;
  // Group i begins and ends with these keys.
  std::uint64_t first_key(std::size_t i) const { return segments_[i].first; }
  std::uint64_t last_key(std::size_t i) const { return segments_[i].last; }

 private:
  struct Segment {
    std::uint64_t first, last;  // keys; those of a bucket may not occur
    bool ends_occur, divisible;
    std::vector<double> weights;  // per channel
    double total;                 // over the classes
    bool single() const { return ends_occur && first == last; }
  };
  enum class Parting { no, yes, unknown };

  bool pure(const Segment& segment) const;
  bool may_part_inside(const Segment& segment) const {
    return !segment.single() && (node_.limits.any() || !pure(segment));
  }
  Parting parting(const Segment& before, const Segment& after) const;
  std::size_t keys_at_least() const;
  std::size_t sure_places() const;
  // As merge_groups chooses places. Notes the segments that must be opened first; false with any.
  bool select(std::vector<char>& open);
  // The same where all places are kept.
  bool keep_all(std::vector<char>& open);
  bool ask_for_ends(std::size_t place, std::vector<char>& open) const;

  const NodeTotals& node_;
  double rows_, all_ = 0;
  std::vector<Segment> segments_;
  std::vector<std::size_t> asked_;  // segments
  std::vector<std::uint32_t> end_;  // the places: how many segments lie before each
  bool exact_ = false;
};

}  // namespace hardwood
