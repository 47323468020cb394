// A leaf of the growing tree, as far as the loop over leaves knows it. A row store derives its own leaves from
// this one and keeps there where their rows are.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "growing/draft.hpp"
#include "search/rules.hpp"
#include "search/split.hpp"

namespace hardwood {

// open: some buckets of its columns have not been looked into, so its best split is not known.
enum class LeafState { open, idle, expanding, expanded };

struct Leaf {
  virtual ~Leaf() = default;

  NodeTotals totals;
  std::vector<std::int32_t> labels;  // of the classes present
  std::int64_t rows = 0;
  std::int32_t depth = 0;
  std::int32_t node = -1;           // number in the tree, given when the leaf joins it
  std::vector<std::uint32_t> path;  // with interaction constraints: the columns of the splits above, ascending
  double share = 1;                 // fractional examples: of the parent's weight with a known value

  const Instruction* told = nullptr;  // of the draft; null: none
  Outcome outcome = Outcome::followed;
  std::int32_t turn = std::numeric_limits<std::int32_t>::max();  // splits of the draft come first
  // By interaction constraints or a draft, per column: may be split on, here and below; null: as the tree's.
  // told_allowed: here, but for an instruction that names the one column.
  std::shared_ptr<const std::vector<char>> allowed, allowed_below, told_allowed;

  bool searched = false;
  std::int64_t assessments = 0;  // what its search asked for
  bool exact = true;             // no rule of thumb took part in the search
  Split split;
  double drop = 0;      // of the split, in integer weight units
  double priority = 0;  // larger is split earlier

  // What the frontier knows of the priority: at most `hoped`, at least `sure`. They part while the best split
  // is not known, or not known to the frontier.
  double hoped = 0, sure = 0;
  bool undecided = false;

  // Filled by expansion, which may run ahead of the leaf's turn.
  std::atomic<LeafState> state{LeafState::idle};
  std::vector<std::unique_ptr<Leaf>> children;
};

using LeafPtr = std::unique_ptr<Leaf>;

}  // namespace hardwood
