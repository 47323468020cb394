// The pairs of a node in decreasing weight, summed by example.
//
// All pairs of an example have the same code in every column but that of the class. So what the first so many
// pairs weigh, code by code, follows from a sum per example: a tenth of the additions where there are ten
// classes, and fewer where most examples have one code, which gets what the others leave. In a node of many
// pairs sums per example are kept after some numbers of pairs; between them pairs are added one by one. What a
// search counts does not depend on how its sums were had.
//
// A column's codes are read once, for all examples of the table, so one object serves one table.
#pragma once

#include <cstdint>
#include <vector>

#include "data/encoded_table.hpp"

namespace hardwood {

class PairPrefixes {
 public:
  // One column of the table.
  struct Codes {
    std::uint32_t usual = 0;
    std::uint32_t first = 0, last = 0;  // of all codes
    std::vector<std::uint8_t> code;     // of each example
    std::vector<std::uint32_t> others;  // the examples that have another code than the usual: row << 8 | code
  };
  struct Range {
    std::uint32_t first = 0, last = 0;
  };
  static constexpr std::size_t most_examples = 1 << 24;

  // For a node of so many pairs of a table of so many examples.
  void begin(std::size_t pairs, std::size_t examples);
  // The next pair of the order: its example, its class (0 or 1) and its weight.
  void push(std::uint32_t example, std::uint32_t channel, std::int64_t weight);
  // All pairs are there: sums are kept after `marks` pairs and between them.
  void sum(const std::vector<std::size_t>& marks);

  const Codes& codes(const EncodedTable& table, std::uint32_t column);
  // The smallest and the largest code that the node's examples have.
  Range range(const Codes& codes) const;
  // What the first so many pairs of class 0 weigh more than those of class 1.
  std::int64_t signed_until(std::size_t count) const { return until_[count]; }
  // Brings `sums`, the signed weights by code of the first `seen` pairs, to the first `end`.
  void advance(const Codes& codes, std::size_t seen, std::size_t end, std::vector<std::int64_t>& sums) const;
  // The weights of all pairs by class and code: sums[class * number of codes + code].
  void sum_all(const Codes& codes, std::vector<std::int64_t>& sums) const;

 private:
  struct Example {
    std::int64_t weight[2] = {0, 0};  // of its pairs in the node, by class
  };
  struct Sums {
    std::size_t end = 0;               // so many pairs
    std::vector<std::int64_t> weight;  // signed, of each example
  };

  const Sums* nearest(std::size_t end) const;
  template <class Add>
  void add_pairs(const Codes& codes, std::size_t from, std::size_t end, std::vector<std::int64_t>& sums,
                 Add add) const;

  std::vector<std::uint32_t> example_;  // of each pair
  std::vector<std::int64_t> weight_;    // signed
  std::vector<std::int64_t> until_;
  std::vector<Example> by_example_;  // of the table; without weight but for those of the node
  std::vector<std::uint32_t> present_;
  std::vector<char> is_present_;  // of each of the table's
  std::int64_t total_[2] = {0, 0};
  std::vector<Sums> sums_;  // the first `kept_` count; their memory is used again
  std::size_t kept_ = 0;
  std::vector<Codes> codes_;  // by column, read when first asked for
};

}  // namespace hardwood
