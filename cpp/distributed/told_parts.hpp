// The sums of a told split at a node whose rows are in parts: from its histogram, its uncoded categories, and
// the keys on either side of a cut inside a bucket.
#pragma once

#include <vector>

#include "distributed/key_sums.hpp"
#include "distributed/part_table.hpp"
#include "growing/told_split.hpp"

namespace hardwood {

// Begins a told split: its cuts as codes or keys. False where no node can be split so.
bool set_told_cuts(const ColumnPlan& column, const Instruction& told, Split& split);

// The keys that buckets which the cuts divide have up to the cuts, one run for each cut.
std::vector<KeyInterval> divided_buckets(const ColumnPlan& column, const Split& split);

// What the parts have told of a node.
struct NodeTold {
  const TablePlan& plan;
  const std::vector<std::int32_t>& labels;  // of the classes present
  int channels;                             // of the histogram and of both sums
  const std::vector<std::int64_t>& cells;
  const KeySums& uncoded;  // of an uncoded column: its categories
  const KeySums& divided;  // answered to divided_buckets
};
ToldSums told_sums(const NodeTold& node, const Split& split, std::uint32_t column);

}  // namespace hardwood
