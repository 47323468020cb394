// The branch that a single row takes at a single split, read straight from the caller's columns.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "data/input.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

struct Turn {
  std::int32_t branch;
  bool missing = false;
  std::int32_t unseen = -1;  // a category that the split has not seen before
};

// Where values go that a split did not divide by; changes as rows reach it that training did not send there.
struct Habits {
  std::int32_t missing_branch, default_branch;
  bool missing_seen;
  std::map<std::int32_t, std::int32_t> added;  // category -> branch, beside the tree's own
};

class RowTurns {
 public:
  // Tree and inputs must outlive this.
  RowTurns(const TreeView& tree, const std::uint8_t* missing_seen, std::span<const ColumnInput> inputs);

  Turn turn(std::int32_t split, std::size_t row) const;

  Habits& habits(std::int32_t split) { return habits_[split]; }
  const Habits& habits(std::int32_t split) const { return habits_[split]; }

 private:
  Turn number_turn(std::int32_t split, double x) const;
  Turn integer_turn(std::int32_t split, const ColumnInput& in, std::size_t row) const;
  Turn category_turn(std::int32_t split, std::int32_t code) const;

  TreeView tree_;
  std::span<const ColumnInput> inputs_;
  std::vector<Habits> habits_;
};

}  // namespace hardwood
