// Rare categories of a node share one place in the search (docs/theory/rules.md#categories).
//
//   given groups    a  b  c  d  e  f        b, d and f are rare
//   places          a  bdf   c     e        the shared place stands where its first category stood
//
// A subset or a grouping of places moves the rare categories together. The first place holds the first
// category.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/groups.hpp"
#include "search/rules.hpp"
#include "search/split.hpp"

namespace hardwood {

class Pooling {
 public:
  // The places; the given groups themselves where fewer than two are rare.
  const Groups& run(const Groups& groups, const NodeTotals& node) {
    any_ = false;
    if (node.rare_below <= 0) return groups;
    std::size_t rare = 0;
    is_rare_.resize(groups.count);
    for (std::size_t i = 0; i < groups.count; ++i) {
      double weight = 0;
      for (int c = 0; c < node.classes; ++c) weight += groups.weight(c, i);
      is_rare_[i] = weight < node.rare_below;
      rare += is_rare_[i] ? 1 : 0;
    }
    if (rare < 2) return groups;
    any_ = true;
    number_places(groups);
    pool(groups, places_);
    return places_;
  }

  // Other weights of the same groups at the places of the last run, which pooled some.
  void pool(const Groups& groups, Groups& places) const {
    std::vector<double> shared(groups.channels, 0.0);
    for (std::size_t i = 0; i < groups.count; ++i)
      for (int c = 0; is_rare_[i] && c < groups.channels; ++c) shared[c] += groups.weight(c, i);
    places.begin(groups.channels, place_count_);
    for (std::size_t i = 0; i < groups.count; ++i) {
      if (place_[i] != places.count) continue;
      places.push(groups.code[i], [&](int c) { return is_rare_[i] ? shared[c] : groups.weight(c, i); });
    }
    places.missing = groups.missing;
    places.any_missing = groups.any_missing;
  }

  // Of a given group.
  std::size_t place(std::size_t group) const { return any_ ? place_[group] : group; }

  // A split of the places becomes one of the given groups.
  void spread(const Groups& groups, Split& split) const {
    if (!any_) return;
    const std::vector<std::int32_t> of_place = split.branch_of;
    split.codes.assign(groups.code.begin(), groups.code.begin() + groups.count);
    split.branch_of.resize(groups.count);
    for (std::size_t i = 0; i < groups.count; ++i) split.branch_of[i] = of_place[place_[i]];
  }

 private:
  void number_places(const Groups& groups) {
    place_.resize(groups.count);
    place_count_ = 0;
    std::size_t first_rare = groups.count;
    for (std::size_t i = 0; i < groups.count; ++i) {
      const bool joins = is_rare_[i] && first_rare < groups.count;
      if (is_rare_[i] && !joins) first_rare = i;
      place_[i] = joins ? place_[first_rare] : place_count_++;
    }
  }

  bool any_ = false;
  std::size_t place_count_ = 0;
  std::vector<char> is_rare_;
  std::vector<std::size_t> place_;
  Groups places_;
};

}  // namespace hardwood
