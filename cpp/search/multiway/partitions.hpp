// The cheapest ways to part up to 10 categories into k groups, by trying every group for the first category
// that is left: with S the categories still to be placed,
//
//   tail(1, S) = phi(S)        tail(m, S) = min over T of phi(T) + tail(m - 1, S without T)
//
// T holding the first category of S. Costs are added from the last group to the first, and among equal costs
// the first vector of masks (T, then the next group's, ...) is taken, then missing values in an earlier group.
#pragma once

#include <cstdint>
#include <vector>

#include "search/groups.hpp"
#include "search/rules.hpp"

namespace hardwood {

// Branch of each category, numbered by first category.
struct Grouping {
  std::vector<std::int32_t> branch_of;
  std::int32_t missing_branch = -1;
};

class PartitionSearch {
 public:
  void run(const Groups& groups, const NodeTotals& node, std::size_t widest);
  std::size_t widest() const { return tails_.size() - 1; }
  double cost(std::size_t arity) const { return (any_missing_ ? placed_tails_ : tails_)[arity].back(); }
  Grouping grouping(std::size_t arity) const;

 private:
  struct Path;
  void fill_costs(const Groups& groups, const NodeTotals& node, bool with_missing,
                  std::vector<double>& out) const;
  std::vector<double> next_tail(const std::vector<double>& costs, const std::vector<double>& tail,
                                std::vector<double> best) const;
  std::vector<Path> extend(const std::vector<Path>& paths, std::uint32_t group, std::uint32_t rest,
                           std::size_t left, double target) const;

  std::size_t count_ = 0;
  bool any_missing_ = false;
  std::vector<double> costs_, placed_costs_;               // by mask of categories
  std::vector<std::vector<double>> tails_, placed_tails_;  // by number of groups and mask
};

}  // namespace hardwood
