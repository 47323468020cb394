// Many small trees on many rows, without jumps.
//
// For 256 rows at a time every distinct question "x <= t" of all trees becomes a string of bits. A tree is
// then a few ands per node on those strings; the leaves' strings give each row's leaf number, bit by bit.
// The sums are those of sending each row down each tree, in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/column_blocks.hpp"
#include "predict/scored_tree.hpp"

namespace hardwood {

class BitForest {
 public:
  // Single cuts of numeric columns only, and at most 64 leaves a tree.
  static bool suits(std::span<const ScoredTree> trees, const UsedColumns& used);

  // All columns that the trees ask about have their slots in `used`.
  BitForest(std::span<const ScoredTree> trees, const UsedColumns& used);

  // Rows [first, first + 256) of the block; false when a value is infinite and nothing was added.
  bool add(const ColumnBlock& block, std::size_t first, std::size_t outputs, double* score) const;

 private:
  struct Question {
    std::int32_t slot;
    bool nan_left;
    double threshold;
  };
  struct Node {
    std::int32_t question = -1;  // -1: a leaf
    std::int32_t first_child = 0;
  };
  struct Shape {
    std::vector<Node> nodes;
    int bits = 0;                      // of leaf numbers
    std::vector<double> value;         // per leaf number
    std::vector<std::int32_t> output;  // likewise
    bool one_output = true;
  };

  std::vector<Question> questions_;  // by slot
  std::vector<Shape> trees_;
  std::size_t slots_ = 0;
};

}  // namespace hardwood
