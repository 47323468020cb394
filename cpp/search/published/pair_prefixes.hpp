// The pairs of a node in decreasing weight, summed by example.
//
// All pairs of an example have the same code in every column but that of the class. So what the first so many
// pairs weigh, code by code, follows from a sum per example: a tenth of the additions where there are ten
// classes, and fewer where most examples have one code, which gets what the others leave. Sums per example are
// kept after some numbers of pairs; between them pairs are added one by one. What a search counts does not
// depend on how its sums were had.
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"

namespace hardwood {

class PairPrefixes {
 public:
  struct Example {
    std::uint32_t row;       // stored
    std::int64_t weight[2];  // of its pairs, by class
  };
  // One column: the examples that have another code than the usual one.
  struct Codes {
    std::uint32_t usual = 0;
    std::uint32_t first = 0, last = 0;  // of the codes that the node has
    std::vector<std::uint32_t> others;  // place among the examples << 8 | code
  };
  static constexpr std::size_t most_examples = 1 << 24;

  void clear();
  // The next pair of the order: its example, its class (0 or 1) and its weight.
  void push(std::uint32_t example, std::uint32_t channel, std::int64_t weight);
  // All pairs are there: sums are kept after `marks` pairs and between them.
  void sum(const std::vector<std::size_t>& marks);

  const std::vector<Example>& examples() const { return examples_; }
  Codes codes(const EncodedTable& table, const EncodedColumn& column);
  // What the first so many pairs of class 0 weigh more than those of class 1.
  std::int64_t signed_until(std::size_t count) const { return until_[count]; }
  // Brings `sums`, the signed weights by code of the first `seen` pairs, to the first `end`.
  void advance(const EncodedTable& table, const EncodedColumn& column, const Codes& codes, std::size_t seen,
               std::size_t end, std::vector<std::int64_t>& sums) const;

 private:
  struct Sums {
    std::size_t end = 0;               // so many pairs
    std::vector<std::int64_t> weight;  // signed, of each example
  };

  const Sums& nearest(std::size_t end) const;

  std::vector<std::uint32_t> example_;  // of each pair
  std::vector<std::uint8_t> channel_;
  std::vector<std::int64_t> weight_;  // signed
  std::vector<std::int64_t> until_;
  std::vector<Example> examples_;  // ascending
  std::vector<Sums> kept_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace hardwood
