// What people decided about a tree before it is grown (docs/theory/rules.md#drafts).
//
// A draft is a tree of instructions: one for the root, and below an instructed split one per branch where there
// is anything to say. Splits of the draft are committed first, in the draft's order; then growth goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "search/split.hpp"

namespace hardwood {

// About one node.
struct Instruction {
  enum class Kind : std::uint8_t {
    free,    // whatever growth finds
    column,  // the best split of this column
    split,   // this split
    leaf,    // not split
  };
  Kind kind = Kind::free;
  std::int32_t turn = 0;  // place among the splits of the draft
  std::uint32_t column = none;
  std::int32_t arity = 2;
  std::vector<Threshold> thresholds;    // of a numeric column, ascending
  std::vector<std::uint32_t> codes;     // of a category column, ascending
  std::vector<std::int32_t> branch_of;  // of each code
  std::int32_t missing = -1;            // branch of missing values; negative: where they cost least

  std::vector<std::uint32_t> never_here;   // columns that this node is not split on
  std::vector<std::uint32_t> never_below;  // nor this node nor any below it
  std::vector<std::int32_t> children;      // the branches' instructions; negative or absent: none

  bool names_split() const { return kind == Kind::column || kind == Kind::split; }
};

// What became of an instruction.
enum class Outcome : std::uint8_t {
  absent,       // its node did not come into being
  followed,     //
  empty,        // a branch would have no rows
  pure,         // the node has one class
  offers_none,  // the column offers no admissible split
  no_room,      // the budget does not allow so many branches
  kept_apart,   // interaction constraints keep the column off the node
  breaks_order  // monotone constraints do not admit the split
};

using Draft = std::vector<Instruction>;  // the root's first

}  // namespace hardwood
