// The best function of three or more branches that a node offers (docs/theory/rules.md#multiway): k intervals
// of a numeric column, k groups of a category column, one branch per category. Binary functions are
// node_search's.
//
// Numeric columns, and categories of two classes in order of their share: every arity at once by
// contiguous.hpp, exact while boundary_points.hpp keeps every place. Categories of more classes: every grouping
// of up to 10 categories. Beyond that, and with limits on the branches, rules of thumb: the order by each
// class's share in turn, merging pair by pair (merges.hpp), a branch per category. Missing values join the
// branch where they cost least.
#pragma once

#include <vector>

#include "data/input.hpp"
#include "search/multiway/boundary_points.hpp"
#include "search/multiway/contiguous.hpp"
#include "search/multiway/merges.hpp"
#include "search/multiway/partitions.hpp"
#include "search/pooling.hpp"
#include "search/split.hpp"

namespace hardwood {

// What is asked of a node: prices[k] for k up to the widest acceptable arity.
struct MultiwayRequest {
  const NodeTotals& node;
  const std::vector<double>& prices;
  double min_drop = 0;  // share of the root's weight
  double root_weight = 0;
  double binary_merit = 0;  // of the best split in two, 0 without one; a tie is the binary split's
  std::size_t widest() const { return prices.size() - 1; }
};

class MultiwaySearch {
 public:
  void begin() {
    best_ = {};
    exact_ = true;
  }
  // groups.code[i] is the code of group i, every present value a group of its own. `known` has the same groups
  // and says the class shares by which categories are put in order; it has other weights where pieces of
  // examples were added to `groups`, since these are rounded.
  void try_column(const MultiwayRequest& request, ColumnKind kind, std::uint32_t c, const Groups& groups,
                  const Groups& known);
  void try_column(const MultiwayRequest& request, ColumnKind kind, std::uint32_t c, const Groups& groups) {
    try_column(request, kind, c, groups, groups);
  }
  // A numeric column of more than boundary_points + 1 values: groups of adjacent ones, and the places between
  // them that `merged` keeps; groups.code[i] is i.
  void try_places(const MultiwayRequest& request, std::uint32_t c, const Groups& groups, MergedGroups merged);
  // Whatever its values, no split of a column would exceed the best.
  bool cannot_win(const MultiwayRequest& request) const { return cannot_win(request, 0.0); }
  const Split& best() const { return best_; }
  bool exact() const { return exact_; }

 private:
  // Not even with every group a branch of its own would it exceed the best.
  bool cannot_win(const MultiwayRequest& request, const Groups& groups) const;
  bool cannot_win(const MultiwayRequest& request, double finest_cost) const;
  void between_places(const MultiwayRequest& request, std::uint32_t c, const Groups& groups);
  void intervals(const MultiwayRequest& request, std::uint32_t c, const Groups& groups);
  void groupings(const MultiwayRequest& request, std::uint32_t c, const Groups& groups, const Groups& known);
  // False when places of the order were left out.
  bool by_share(const MultiwayRequest& request, std::uint32_t c, const Groups& groups, const Groups& known,
                int channel);
  void one_per_category(const MultiwayRequest& request, std::uint32_t c, const Groups& groups);
  // Branches by category, numbered anew by first category.
  Split grouped(const Groups& groups, std::vector<std::int32_t> branch_of, std::int32_t missing_branch) const;
  // Tries the arities of least cost(k), k in [first, last], in order of merit; describe(k) is the function.
  template <class Cost, class Describe>
  void offer(const MultiwayRequest& request, std::uint32_t c, std::size_t first, std::size_t last, Cost cost,
             Describe describe);

  Split best_;
  bool exact_ = true;
  Pooling pooling_;
  Groups places_;
  MergedGroups merged_;
  Groups ordered_;
  std::vector<std::size_t> order_;
  ContiguousSearch contiguous_;
  PartitionSearch partitions_;
  MergeSearch merges_;
};

}  // namespace hardwood
