// The cheapest ways to part an ordered list of groups into k = 2, 3, ... runs, exactly, for every k at once.
//
// A run's cost is phi of its class weights, a function's cost phi_1 + (phi_2 + (... + phi_k)), added from the
// last branch to the first. With tail(m, i) the least cost of parting groups i .. n-1 into m runs,
//
//   tail(1, i) = phi(i, n)        tail(m, i) = min over j of phi(i, j) + tail(m - 1, j)
//
// which is a shortest path of O(k n^2) steps (the cost is not Monge). Rounded addition is monotone, so this is
// the least cost in floats too, and the smallest vector of cuts that reaches it is found from the front.
// Missing values join one of the runs: a second set of tails has them placed.
#pragma once

#include <cstdint>
#include <vector>

#include "search/groups.hpp"
#include "search/rules.hpp"

namespace hardwood {

// Which branch boundaries were chosen: branch b holds groups [begin[b], begin[b + 1]).
struct Runs {
  std::vector<std::uint32_t> begin;
  std::int32_t missing_branch = -1;
};

class ContiguousSearch {
 public:
  // Finds the least cost for every arity up to `widest`.
  void run(const Groups& groups, const NodeTotals& node, std::size_t widest);

  // Largest arity looked at, and its least cost; infinite where no branching is within the limits.
  std::size_t widest() const { return tails_.size() - 1; }
  double cost(std::size_t arity) const { return (any_missing_ ? placed_tails_ : tails_)[arity][0]; }

  // The branching of this arity and least cost that comes first: smaller cuts, then missing values earlier.
  Runs runs(std::size_t arity) const;

 private:
  struct Path;
  void interval_costs(const Groups& groups, const NodeTotals& node, bool with_missing,
                      std::vector<double>& out);
  double interval(const std::vector<double>& costs, std::size_t i, std::size_t j) const {
    return costs[j * (j - 1) / 2 + i];
  }
  void extend(const Path& path, std::size_t from, std::size_t to, std::size_t left, double target,
              std::vector<Path>& out) const;

  std::size_t count_ = 0;
  bool any_missing_ = false;
  std::vector<double> costs_, placed_costs_;               // of groups [i, j) at j (j - 1) / 2 + i
  std::vector<std::vector<double>> tails_, placed_tails_;  // by number of runs and first group
  std::vector<double> work_;
};

}  // namespace hardwood
