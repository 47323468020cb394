// Error-based pruning by rows in memory.
#pragma once

#include <cstdint>

#include "base/poll.hpp"
#include "pruning/error_based.hpp"
#include "pruning/row_turns.hpp"

namespace hardwood {

// Those without weight are left out; `leaf` is the node each row reached when the tree was grown. All weights
// are multiples of `unit`.
struct TrainingRows {
  const std::int32_t* labels = nullptr;
  const double* weights = nullptr;
  const std::int32_t* leaf = nullptr;
  std::size_t count = 0;
  double unit = 1;
};

void prune_by_rows(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows,
                   const Poll& poll);

// Rows that miss values are in several leaves, in pieces; nothing is read from `leaf`. All pieces at a node
// are divided anew when a branch is raised, since the shares by which missing values are divided change with
// the rows.
void prune_by_pieces(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows,
                     const Poll& poll);

}  // namespace hardwood
