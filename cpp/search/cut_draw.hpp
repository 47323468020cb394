// Which cuts of numeric columns a tree may use where it may use a share of them only
// (docs/theory/rules.md#draws).
//
// A cut is drawn by a hash of the class weights on its two sides. They are the same whatever search finds the
// cut, wherever the rows are and however the values are written.
#pragma once

#include <cstdint>
#include <limits>

namespace hardwood {

class CutDraw {
 public:
  CutDraw() = default;
  CutDraw(double fraction, std::uint64_t seed)
      : seed_(seed), below_(fraction < 1 ? static_cast<std::uint64_t>(fraction * 0x1p64) : every_cut) {}

  bool any() const { return below_ != every_cut; }

  // left_of and right_of are the weights of the classes present in the node.
  template <class LeftOf, class RightOf>
  bool takes(int classes, LeftOf left_of, RightOf right_of) const {
    std::uint64_t left = seed_, right = seed_;
    for (int c = 0; c < classes; ++c) {
      left = mix(left ^ static_cast<std::uint64_t>(left_of(c)));
      right = mix(right ^ static_cast<std::uint64_t>(right_of(c)));
    }
    return mix(left + right) < below_;
  }

 private:
  static constexpr std::uint64_t every_cut = std::numeric_limits<std::uint64_t>::max();

  // SplitMix64.
  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  std::uint64_t seed_ = 0, below_ = every_cut;
};

}  // namespace hardwood
