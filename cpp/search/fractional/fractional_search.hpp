// The best split of a node whose missing values go down every branch in pieces: every threshold of every
// numeric column, and subsets of categories.
//
// Two classes: f(a) = phi(a + |a|/|known| m) is concave and homogeneous in a branch's class weights a, being
// phi of a linear image of them, and all that is needed for a best subset to be a prefix of the categories
// in order of class share. So the categories are taken in the order and by the rules of subsets.hpp, as to
// the examples that have a value. For the same reason the corners (docs/theory/rules.md#corners)
// bound the cuts inside a bucket: buckets are opened only where their bound does not exceed the best cost
// found.
//
// Missing against the rest is no candidate; a column without a value at the node offers nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/items.hpp"
#include "search/fractional/piece_cost.hpp"
#include "search/fractional/pieces.hpp"
#include "search/groups.hpp"
#include "search/multiway/multiway_search.hpp"
#include "search/pooling.hpp"
#include "search/split.hpp"

namespace hardwood {

// Tries the candidates of one column after another; owns the buffers.
class FractionalColumns {
 public:
  // Cuts after each group, which may be some of the column's. cut_of(i) is the cut after group i, and its rank;
  // describe(i, cut, split) notes it.
  template <class CutOf, class Describe>
  void try_cuts(const Groups& groups, const NodeTotals& node, std::uint32_t column, CutOf cut_of,
                Describe describe) {
    groups_ = &groups;
    pieces_.begin(groups, node);
    left_.resize(groups.channels);
    for (std::size_t i = 0; i < groups.count; ++i) {
      for (int c = 0; c < groups.channels; ++c) left_[c] = groups.left[c * groups.stride + i + 1];
      if (!pieces_.divides(left_.data())) continue;
      const std::uint64_t cut = cut_of(i);
      if (consider(cost_of_left(), column, cut)) describe(i, cut, best);
    }
  }

  // After try_cuts: no cut inside group i costs less than bounds()[i].
  const std::vector<double>& bounds();

  // Cuts inside a bucket: `start` is what stands left of it per channel, pieces are its examples by code.
  void try_inside(const Groups& groups, const NodeTotals& node, std::uint32_t column, const double* start,
                  const Piece* first, const Piece* last);

  void try_subsets(const Groups& given, const NodeTotals& node, std::uint32_t column);

  // Every admissible cut after a group.
  void add_cuts(const Groups& groups, const NodeTotals& node, std::uint32_t column,
                std::vector<RankedSplit>& out);

  Split best;
  bool exact = true;  // false once a rule of thumb was used

 private:
  // Takes over what stands left as the best, if it is.
  bool consider(double cost, std::uint32_t column, std::uint64_t rank);
  void consider_subset(std::uint32_t column, std::uint64_t cut);
  void try_prefixes(const Groups& groups, std::uint32_t column, int channel, bool merge,
                    std::uint64_t first_cut);
  double cost_of_left();

  PieceCost pieces_;
  Pooling pooling_;
  const Groups* groups_ = nullptr;
  std::vector<double> left_, bounds_, low_, high_;
  std::vector<std::size_t> order_;
  std::vector<char> in_;
};

// Nodes of one problem, also several at a time.
class FractionalSearch {
 public:
  FractionalSearch(const Problem& problem, Pool& pool, const Poll& poll);
  ~FractionalSearch();

  // `node` has the totals of the items: the classes present, then the examples where they are counted.
  // `allowed` says per column whether it may be split on; null: all may. `exact` becomes false where a rule of
  // thumb took piece.
  Split run(const Items& items, const NodeTotals& node, const std::vector<char>* allowed, bool& exact);

  // The best function of three or more branches (multiway_search.hpp). A branch whose examples with a value
  // weigh a gets the share |a|/|known| of the missing weights m too, which is linear in a: so the groups of a
  // column are searched with a + |a|/|known| m in place of a, prefix by prefix in whole numbers.
  Split multiway(const Items& items, const MultiwayRequest& request, const std::vector<char>* allowed,
                 bool& exact);

 private:
  struct Buffers;  // of one task, used again by the next
  class Node;

  std::unique_ptr<Buffers> borrow();
  void give_back(std::unique_ptr<Buffers> buffers);

  const Problem& problem_;
  Pool& pool_;
  const Poll& poll_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffers>> free_;
};

// The best split of every column that has one, of any arity that request.prices names (none: two branches);
// with `all` every threshold of the numeric columns, and the best split in three or more of each column.
std::vector<RankedSplit> ranked_columns(const Problem& problem, const Items& items,
                                        const MultiwayRequest& request, const std::vector<char>* allowed,
                                        bool all, Pool& pool, const Poll& poll);

}  // namespace hardwood
