// Which cuts of numeric columns a tree may use where it may use a share of them only
// (docs/theory/rules.md#draws).
//
// A cut is drawn by a hash of the class weights on its two sides. They are the same whatever search finds the
// cut, wherever the rows are and however the values are written. A column of few values has few cuts, so that
// a larger share of them is drawn.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace hardwood {

// Of each column: a cut is drawn whose hash is below this.
class CutShares {
 public:
  static constexpr std::uint64_t every_cut = std::numeric_limits<std::uint64_t>::max();

  explicit CutShares(double fraction) : fraction_(fraction) {}

  // values: how many distinct ones the next column has in the table, if they are few.
  void add_column(std::uint32_t values) {
    const double share = std::max(fraction_, values > 1 && values <= few ? 1.0 / (values - 1) : 0.0);
    below_.push_back(share < 1 ? static_cast<std::uint64_t>(share * 0x1p64) : every_cut);
  }
  std::uint64_t below(std::uint32_t column) const { return below_[column]; }

 private:
  static constexpr std::uint32_t few = 8;  // values

  double fraction_;
  std::vector<std::uint64_t> below_;
};

class CutDraw {
 public:
  CutDraw() = default;
  CutDraw(const CutShares& shares, std::uint64_t seed) : shares_(&shares), seed_(seed) {}

  bool any() const { return shares_ != nullptr; }

  // left_of and right_of are the weights of the classes present in the node.
  template <class LeftOf, class RightOf>
  bool takes(std::uint32_t column, int classes, LeftOf left_of, RightOf right_of) const {
    const std::uint64_t below = shares_->below(column);
    if (below == CutShares::every_cut) return true;
    std::uint64_t left = seed_, right = seed_;
    for (int c = 0; c < classes; ++c) {
      left = mix(left ^ static_cast<std::uint64_t>(left_of(c)));
      right = mix(right ^ static_cast<std::uint64_t>(right_of(c)));
    }
    return mix(left + right) < below;
  }

 private:
  // SplitMix64.
  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  const CutShares* shares_ = nullptr;  // null: every cut is looked at
  std::uint64_t seed_ = 0;
};

}  // namespace hardwood
