// Error-based pruning with subtree raising: C4.5 release 8 (Quinlan 1993, chapter 4). The decisions.
//
// Surviving nodes are visited from the leaves to the root. Most are settled by their class weights alone; for
// the others it must be tried what raising would do, and only that needs rows. Where the rows are is the
// caller's affair: `next` hands out a raising, the caller tells what arrives at which leaf, and `decide`
// settles the node or, after raising, has it and all that changed visited again. A visit reads and changes
// its own subtree only, so raisings that are out at the same time never meet, and the order in which they
// are decided does not matter.
//
// Weights are the user's; they are whole multiples of a common unit, so sums are exact and do not depend on
// the order of the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "pruning/pessimistic_error.hpp"
#include "pruning/surviving_nodes.hpp"

namespace hardwood {

// Sums of the nodes: class weights, `classes` each, and rows. share: empty if nothing is fractional.
struct NodeSums {
  int classes;
  std::vector<double> weights;
  std::vector<std::int64_t> rows;
  std::vector<double> share;
};

// What sending the rows of the lighter branches down the heaviest one would do.
struct Raising {
  std::int32_t node, heaviest;
  double as_leaf, as_tree;            // estimated errors of the node as a leaf, and as it is
  double errors = 0;                  // and after raising
  std::vector<std::int32_t> touched;  // surviving nodes that rows would pass
  Met met;
};

// What happened to a node, for those who keep its rows: it became a leaf, or a branch was raised.
struct Change {
  std::int32_t node;
  std::int32_t raised = -1;
  std::vector<std::int32_t> leaves;  // gone; the rows are at the node now, or down the raised branch
  Met met;
  std::vector<std::pair<std::int32_t, std::int32_t>> defaults;  // splits and their default branches
};

enum class Verdict { leaf, keep, raise };

// What pruning may do with a node. Every node above a kept one is kept.
enum class Freedom : std::uint8_t {
  any,
  kept,      // its split stays
  own_only,  // its own split stays, or it becomes a leaf: no split from below takes its place
};

class ErrorBasedPruning {
 public:
  // Subtrees that make as many training mistakes as a leaf are collapsed at once. Without `raising` subtrees
  // only become leaves. freedom: per node; empty: any.
  ErrorBasedPruning(const TreeView& tree, const std::uint8_t* missing_seen, NodeSums sums,
                    PessimisticError estimate, bool raising = true, std::vector<Freedom> freedom = {});

  // Settles surviving nodes until raising must be tried; none when all that could be visited has been.
  std::optional<Raising> next();

  // A row, or the sum of some, would arrive at a leaf of the heaviest branch.
  void arrive(Raising& raising, std::int32_t leaf, int label, double weight, std::int64_t rows) {
    extra_[static_cast<std::size_t>(leaf) * sums_.classes + label] += weight;
    extra_rows_[leaf] += rows;
    for (std::int32_t up = leaf; up != raising.node && !is_touched_[up]; up = surviving_.parent(up)) {
      is_touched_[up] = 1;
      raising.touched.push_back(up);
    }
  }
  // Whether what has arrived so far shows that raising does not pay. Never where estimates could fall when
  // more arrives.
  bool in_vain(const Raising& raising) const;
  bool can_tell_early() const { return estimate_.never_falls(); }
  // Nothing has arrived yet.
  void forget(Raising& raising);

  // All rows have arrived.
  Verdict decide(Raising& raising);
  // Raising is in vain.
  void give_up(Raising& raising);

  // The changes since they were last taken, in order.
  std::vector<Change> take_changes() { return std::exchange(changes_, {}); }

  const SurvivingNodes& surviving() const { return surviving_; }
  NodeSums& sums() { return sums_; }

  // The steps of `decide`, for raisings that are tried by pieces (pieces_trial.hpp).
  Verdict verdict(const Raising& raising) const;
  double estimate(double weight, double errors) const { return estimate_(weight, errors); }
  void make_leaf(const Raising& raising) { make_leaf(raising.node, raising.as_leaf); }
  void keep(const Raising& raising) { settle(raising.node, raising.as_tree); }
  void take_over(const Raising& raising);
  // After take_over.
  void set_default_of_pieces(std::int32_t split, std::int32_t branch) {
    surviving_.set_default_of_pieces(split, branch);
    changes_.back().defaults.emplace_back(split, branch);
  }
  void visit_again(std::int32_t node);

 private:
  enum class State : std::uint8_t { waiting, tried, settled };

  void collapse();
  std::optional<Raising> visit(std::int32_t node);
  bool all_settled_below(std::int32_t node) const;
  void make_leaf(std::int32_t node, double errors);
  void settle(std::int32_t node, double errors);
  double errors_with_extra(std::int32_t leaf) const;
  void estimate_touched(Raising& raising);
  void raise(Raising& raising);
  void set_default(std::int32_t node, Change& change);
  std::int32_t heaviest_child(std::int32_t node) const;
  double errors_as_leaf(std::int32_t node) const;
  Freedom freedom(std::int32_t node) const { return freedom_.empty() ? Freedom::any : freedom_[node]; }

  SurvivingNodes surviving_;
  NodeSums sums_;
  PessimisticError estimate_;
  bool raising_;
  std::vector<Freedom> freedom_;
  std::vector<State> state_;
  std::vector<double> errors_, new_errors_;  // estimates of the surviving nodes' subtrees
  std::vector<double> extra_;                // class weights that raising would add
  std::vector<std::int64_t> extra_rows_;
  std::vector<std::uint8_t> is_touched_;
  std::priority_queue<std::int32_t> to_visit_;  // largest number first: children before parents
  std::vector<Change> changes_;
};

}  // namespace hardwood
