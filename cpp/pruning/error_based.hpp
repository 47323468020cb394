// Error-based pruning with subtree raising: C4.5 release 8 (Quinlan 1993, chapter 4).
//
// A *place* is a node of the grown tree that the pruned tree still has; places keep their numbers. What a
// place asks is the split of a node: its own, or after raising that of a node below it. Children of a place
// are the children of its split's node.
//
//     place        0          split[0] = 0          0   split[0] = 2: branch 2 was raised,
//                1   2        split[2] = 2        3   4  1 and 2 are no places any more
//                   3 4
//
// Weights are the user's; they are whole multiples of a common unit, so sums are exact and do not depend on
// the order of the rows.
#pragma once

#include <cstdint>
#include <queue>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/poll.hpp"
#include "pruning/parts.hpp"
#include "pruning/pessimistic_error.hpp"
#include "pruning/row_turns.hpp"

namespace hardwood {

constexpr std::int32_t no_split = -1;  // the place is a leaf
constexpr std::int32_t no_place = -2;  // the node is gone

// Training rows. Those without weight are left out; `leaf` is the node each row reached when the tree was
// grown. All weights are multiples of `unit`. `fractional`: rows that miss values are in several leaves.
struct TrainingRows {
  const std::int32_t* labels = nullptr;
  const double* weights = nullptr;
  const std::int32_t* leaf = nullptr;
  std::size_t count = 0;
  double unit = 1;
  bool fractional = false;
};

class ErrorBasedPruning {
 public:
  // class_weights: of all nodes, `classes` each; share: of all nodes, empty if nothing is fractional.
  ErrorBasedPruning(const TreeView& tree, RowTurns& turns, const TrainingRows& rows,
                    std::vector<double> class_weights, std::vector<double> share,
                    std::vector<std::int64_t> row_counts, int classes, PessimisticError estimate);

  void run(const Poll& poll);

  const std::vector<std::int32_t>& split() const { return split_; }
  std::vector<double>& class_weights() { return weights_; }
  std::vector<std::int64_t>& row_counts() { return row_counts_; }
  std::vector<double>& share() { return share_; }

 private:
  // A place when other parts reach it.
  struct Spread {
    std::int32_t place;
    double share;
    std::vector<Part> parts;  // of a leaf
    std::vector<double> weights;
    std::int64_t rows;
  };

  // What sending the rows of the lighter branches down the heaviest one would do.
  struct Raising {
    std::int32_t heaviest = 0;
    double errors = 0;
    std::vector<std::uint32_t> rows;
    std::vector<std::int32_t> to;                        // the leaf each row would reach
    std::vector<std::int32_t> touched;                   // places that rows would pass
    std::set<std::int32_t> missing;                      // splits that would meet missing values
    std::set<std::pair<std::int32_t, std::int32_t>> unseen;  // splits and categories new to them
    std::vector<Spread> spread;  // fractional: all places below
    std::vector<std::pair<std::int32_t, std::int32_t>> heaviest_branch;  // fractional: of splits
  };

  void collapse();
  void place_rows();
  void visit(std::int32_t place);
  void make_leaf(std::int32_t place);
  // Raising that would be estimated at more than `most` errors has infinitely many.
  Raising try_raising(std::int32_t place, double most);
  void send_rows(Raising& raising, std::int32_t place, std::size_t more);
  double errors_with_extra(std::int32_t leaf) const;
  double errors_so_far(const Raising& raising) const;
  void estimate_touched(Raising& raising);
  void raise(std::int32_t place, const Raising& raising);
  void take_over(std::int32_t place, const Raising& raising);
  void set_habits(std::int32_t place);
  void forget(Raising& raising);

  // The same for fractional examples.
  void place_parts();
  Raising try_raising_parts(std::int32_t place);
  void raise_parts(std::int32_t place, Raising& raising);
  void spread(Raising& out, std::int32_t from, std::vector<Part> parts, double share) const;
  std::vector<Part> parts_at(std::int32_t place) const;

  bool is_leaf(std::int32_t place) const { return split_[place] == no_split; }
  std::int32_t first_child(std::int32_t place) const { return tree_.first_child[split_[place]]; }
  std::int32_t arity(std::int32_t place) const { return tree_.branches[split_[place]]; }
  std::int32_t heaviest_child(std::int32_t place) const;
  double errors_as_leaf(std::int32_t place) const;
  double weight(std::int32_t place) const;
  // All places below, the place itself first.
  std::vector<std::int32_t> places_from(std::int32_t place) const;

  TreeView tree_;
  RowTurns& turns_;
  TrainingRows rows_;
  int classes_;
  PessimisticError estimate_;
  std::vector<double> weights_;            // class weights of the places
  std::vector<double> share_;
  std::vector<std::int64_t> row_counts_;
  std::vector<std::int32_t> split_, parent_;
  std::vector<double> errors_, new_errors_;              // estimates of the places' subtrees
  std::vector<std::vector<std::uint32_t>> rows_of_leaf_;
  std::vector<std::vector<Part>> parts_of_leaf_;         // fractional
  std::vector<double> extra_;                            // class weights that raising would add
  std::vector<std::int64_t> extra_rows_;
  std::vector<std::uint8_t> is_touched_;
  std::priority_queue<std::int32_t> to_visit_;           // largest number first: children before parents
};

}  // namespace hardwood
