// Class weights by key of a node's examples: what a part answers about the inside of buckets.
#pragma once

#include <span>
#include <vector>

#include "distributed/key_sums.hpp"
#include "distributed/node_items.hpp"
#include "distributed/part_table.hpp"

namespace hardwood {

// Of each question about a node, together: a bucketed column's keys in some intervals, ascending and apart;
// an uncoded column's codes (missing ones as missing_key). Channels are the classes, then examples when
// counted.
std::vector<KeySums> open_keys(const PartTable& table, const TablePlan& plan, const NodeItems& items,
                               int channels, std::span<const KeyQuestion> questions);

}  // namespace hardwood
