// What is to be learned: an encoded table with labels and integer weights, and the rows of a node.
//
// A node owns a range of an array of row numbers, in which its rows stand by class and, within a class,
// in ascending order. Dividing it moves them to the same range of a second array.
//
//   rows   ... | node: class 0 | class 1 | class 2 | next node ...
#pragma once

#include <cstdint>
#include <vector>

#include "criteria/criterion.hpp"
#include "data/encoded_table.hpp"

namespace hardwood {

struct Problem {
  const EncodedTable* table = nullptr;
  int classes = 0;
  const std::int64_t* weights = nullptr;   // per row; null: every row weighs 1
  const std::int64_t* examples = nullptr;  // per row; null: not counted apart from the weights
  Criterion criterion = Criterion::gini;

  std::int64_t weight(std::uint32_t row) const { return weights ? weights[row] : 1; }
};

// The array of row numbers that nodes own ranges of, the one that their branches' rows are moved to and, where
// they are carried along, the weights of the rows in the same places: whoever adds up a node reads them in
// order.
struct RowArrays {
  std::uint32_t* rows = nullptr;
  std::uint32_t* moved_rows = nullptr;
  std::int64_t* weights = nullptr;  // null: not carried
  std::int64_t* moved_weights = nullptr;
  std::uint8_t* branch = nullptr;  // room for the branch of each row

  // As the branches see them.
  RowArrays moved() const { return {moved_rows, rows, moved_weights, weights, branch}; }
};

struct ClassRows {
  int label;
  std::uint32_t begin, end;
};

struct NodeRows {
  std::uint32_t begin = 0, end = 0;
  std::vector<ClassRows> classes;  // those present
  std::uint32_t size() const { return end - begin; }
};

}  // namespace hardwood
