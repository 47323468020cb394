// A part while a tree of fractional examples grows: as part.hpp, but a row may be at many nodes, in pieces.
//
// How a row's weight is divided follows from its weight and the split (growing/fractional_division.hpp), so
// parts do it on their own; the sums of the branches are known only once all have.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "data/items.hpp"
#include "distributed/part.hpp"

namespace hardwood {

class FractionalPart {
 public:
  // The part has just been started; it must outlive this.
  explicit FractionalPart(const Part& part);

  // As of Part, and the class weights of the children.
  void split(const NodeSplit& order, SplitAnswer& answer);
  HistogramBatch histograms(const std::vector<std::int32_t>& nodes) const;
  std::vector<KeySums> open(std::int32_t node, std::span<const KeyQuestion> questions) const {
    return open_keys(part_.table(), part_.plan(), view(items(node)), part_.channels(), questions);
  }
  const Items& items(std::int32_t node) const;

 private:
  static NodeItems view(const Items& items) {
    return {items.by_class, items.row.data(), items.weight.data(),
            items.examples.empty() ? nullptr : items.examples.data(), false};
  }

  const Part& part_;
  std::map<std::int32_t, Items> nodes_;
};

}  // namespace hardwood
