// The pairs of a node in decreasing weight, summed by example.
//
// All pairs of an example have the same code in every column but that of the class. So what the first so many
// pairs weigh, code by code, follows from a sum per example: a tenth of the additions where there are ten
// classes. Such sums are kept after some numbers of pairs; between them pairs are added one by one. What a
// search counts does not depend on how its sums were had.
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"

namespace hardwood {

class PairPrefixes {
 public:
  struct Example {
    std::uint32_t row;         // stored
    std::int64_t weight[2];    // of its pairs, by class
  };

  void clear();
  // The next pair of the order: its example, its class (0 or 1) and its weight.
  void push(std::uint32_t example, std::uint32_t channel, std::int64_t weight);
  // All pairs are there: sums are kept after `marks` pairs (ascending) and between them.
  void sum(const std::vector<std::size_t>& marks);

  const std::vector<Example>& examples() const { return examples_; }
  // What the first so many pairs of class 0 weigh more than those of class 1.
  std::int64_t signed_until(std::size_t count) const { return until_[count]; }
  // Brings `sums`, the signed weights by code of the first `seen` pairs, to the first `end`.
  void advance(const EncodedTable& table, const EncodedColumn& column, std::size_t seen, std::size_t end,
               std::vector<std::int64_t>& sums) const;

 private:
  struct Sums {  // of the first `end` pairs: the examples that have any, and their signed weights
    std::size_t end = 0;
    std::vector<std::uint32_t> example;
    std::vector<std::int64_t> weight;
  };

  const Sums& nearest(std::size_t end) const;

  std::vector<std::uint32_t> example_;  // of each pair
  std::vector<std::uint8_t> channel_;
  std::vector<std::int64_t> weight_;  // signed
  std::vector<std::int64_t> until_;
  std::vector<Example> examples_;
  std::vector<Sums> kept_;
};

}  // namespace hardwood
