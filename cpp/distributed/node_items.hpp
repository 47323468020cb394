// The examples of a node of a part, one by one: whole rows, or pieces of them (data/items.hpp).
#pragma once

#include <cstdint>

#include "base/portable.hpp"
#include "data/pair_table.hpp"

namespace hardwood {

struct NodeItems {
  const NodeRows& by_class;
  const std::uint32_t* rows;     // of the items by_class.begin to by_class.end
  const std::int64_t* weights;   // null: 1 each
  const std::int64_t* examples;  // null: not counted apart
  bool by_row;                   // weights and examples stand by row, not by item

  std::int64_t weight(std::uint32_t i) const { return weights ? weights[by_row ? rows[i] : i] : 1; }
  std::int64_t count(std::uint32_t i) const { return examples ? examples[by_row ? rows[i] : i] : 0; }
  void prefetch_weight(std::uint32_t i) const {  // and its count
    if (weights && by_row) prefetch(weights + rows[i]);
    if (examples && by_row) prefetch(examples + rows[i]);
  }
  // body(item, class)
  template <class Body>
  void each(Body body) const {
    for (const ClassRows& own : by_class.classes)
      for (std::uint32_t i = own.begin; i < own.end; ++i) body(i, own.label);
  }
};

inline NodeItems items_of(const MergedPairs& pairs) {
  const std::int64_t* examples = pairs.examples.empty() ? nullptr : pairs.examples.data();
  return {pairs.by_class, pairs.rows.data(), pairs.weights.data(), examples, false};
}

}  // namespace hardwood
