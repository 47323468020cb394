// What reaches the leaves of a tree over pairs, example by example: the `PairSums` of a growth, or of the pairs
// of one part. Pair p is example p / classes with class p % classes.
#pragma once

#include <cstdint>
#include <vector>

#include "data/problem.hpp"
#include "growing/growth.hpp"

namespace hardwood {

class PairTally {
 public:
  // `seen` are the pairs that the tree saw: an example's weight is theirs.
  PairTally(std::uint32_t classes, std::size_t examples, std::size_t nodes,
            const std::vector<std::uint32_t>& seen, const std::int64_t* weights)
      : classes_(classes), weight_(examples, 0) {
    for (std::uint32_t pair : seen) weight_[pair / classes] += weights[pair];
    sums_.rows.assign(nodes * classes, 0);
    sums_.weights.assign(nodes * classes * 2, 0);
  }

  // The pairs of a leaf, seen or not; `pairs` is the list that it owns a range of.
  void add(std::size_t leaf, const NodeRows& rows, const std::vector<std::uint32_t>& pairs) {
    for (const ClassRows& piece : rows.classes)
      for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
        const std::int64_t weight = weight_[pairs[i] / classes_];
        const std::size_t at = leaf * classes_ + pairs[i] % classes_;
        sums_.rows[at] += weight > 0;
        sums_.weights[2 * at + piece.label] += weight;
      }
  }

  PairSums take() { return std::move(sums_); }

 private:
  std::uint32_t classes_;
  std::vector<std::int64_t> weight_;  // of the examples
  PairSums sums_;
};

}  // namespace hardwood
