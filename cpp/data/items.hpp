// The examples of a node that may hold parts of rows: a row, and how much of its weight is here.
//
// They stand by class, as `by_class` says, and within a class in ascending order of their rows:
//
//   row     | class 0: 3 8 9 | class 2: 1 4 |
//   weight  |          6 6 2 |          6 1 |     integer units; never 0
#pragma once

#include <cstdint>
#include <vector>

#include "data/problem.hpp"

namespace hardwood {

struct Items {
  NodeRows by_class;
  std::vector<std::uint32_t> row;
  std::vector<std::int64_t> weight;
  std::vector<std::int64_t> examples;  // in the caller's unit; empty when not counted apart

  std::uint32_t size() const { return by_class.end; }

  void add(std::uint32_t item_row, std::int64_t item_weight, std::int64_t item_examples, bool counted) {
    row.push_back(item_row);
    weight.push_back(item_weight);
    if (counted) examples.push_back(item_examples);
  }
  // Ends the items of a class that began at `begin`.
  void close_class(int label, std::uint32_t begin) {
    const auto end = static_cast<std::uint32_t>(row.size());
    if (end > begin) by_class.classes.push_back({label, begin, end});
    by_class.end = end;
  }
};

}  // namespace hardwood
