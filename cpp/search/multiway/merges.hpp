// A rule of thumb for the groupings of many categories of more than two classes: every category begins as a
// group of its own, and the two groups whose merging costs least are merged, again and again, so that every
// arity is met on the way. Ties: the groups with the earlier first categories.
#pragma once

#include <cstdint>
#include <vector>

#include "search/groups.hpp"
#include "search/multiway/partitions.hpp"
#include "search/rules.hpp"

namespace hardwood {

constexpr std::size_t merged_categories = 256;  // the rule takes O(n^3) steps for n categories

class MergeSearch {
 public:
  void run(const Groups& groups, const NodeTotals& node, std::size_t widest);
  std::size_t widest() const { return found_.size() - 1; }
  // Added from the last branch to the first; infinite where a branch is not within the limits.
  double cost(std::size_t arity) const { return found_[arity].cost; }
  const Grouping& grouping(std::size_t arity) const { return found_[arity].grouping; }

 private:
  struct Found {
    double cost;
    Grouping grouping;
  };
  Found describe(const Groups& groups, const NodeTotals& node) const;
  void merge_cheapest(const NodeTotals& node);

  int channels_ = 0;
  std::vector<std::size_t> alive_;             // first categories of the groups, ascending
  std::vector<std::int32_t> owner_;            // of each category: its group's first category
  std::vector<double> weights_;                // [category, channel] of the group it is first of
  std::vector<double> cost_;                   // [category]
  std::vector<std::vector<double>> increase_;  // of merging group j into group i < j
  std::vector<Found> found_;
};

}  // namespace hardwood
