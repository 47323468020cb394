// A part while a tree is pruned: its rows by surviving node, what raising would do to them, and what it does.
//
// The surviving nodes follow the coordinator's changes, so they and the rows at them are a function of the
// part's rows and the changes alone.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/part.hpp"
#include "distributed/part_turns.hpp"
#include "distributed/trial.hpp"
#include "pruning/error_based.hpp"
#include "pruning/leaf_rows.hpp"

namespace hardwood {

// The grown tree as parts need it; the arrays stay with the caller.
struct GrownTree {
  TreeView view;
  const std::uint8_t* missing_seen = nullptr;
  const std::uint64_t* cuts = nullptr;  // as in PartTurns
};

class SurvivingRows {
 public:
  // leaves: surviving nodes that are leaves already. The rows of the part's nodes[i] are at surviving[i].
  SurvivingRows(const Part& part, const GrownTree& tree, const std::vector<std::int32_t>& leaves,
                const std::vector<std::int32_t>& nodes, const std::vector<std::int32_t>& surviving);

  // Rows are moved as if they were sent at once, before what they met is known.
  void follow(const Change& change);
  Arrivals send(const std::vector<Trial>& trials);

 private:
  // Throws unless it is an inner node, and the branch (if one is named) an inner one of its own.
  void check(std::int32_t node, std::int32_t branch) const;
  std::size_t channels() const { return static_cast<std::size_t>(part_.label_count()) + 1; }
  // Class weights and rows by the leaf where the rows would arrive.
  void add_up(std::int32_t from, const std::vector<std::uint32_t>& sent, std::vector<std::int32_t>& leaves,
              std::vector<std::int64_t>& sums, Met& met);

  const Part& part_;
  SurvivingNodes surviving_;
  PartTurns turns_;
  LeafRows rows_;
  std::vector<std::int32_t> slot_;  // of a leaf among the sums that are being made, or -1
};

}  // namespace hardwood
