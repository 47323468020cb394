// The coordinator of pruning a tree of fractional examples over parts.
//
// All raisings that can be tried at a time are tried together, level by level (surviving_pieces.hpp); once all
// of them have reached their leaves they are decided, and the next ones follow.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "distributed/surviving_pieces.hpp"
#include "pruning/pieces_trial.hpp"

namespace hardwood {

class FractionalTrials {
 public:
  // As for ErrorBasedPruning; the tree must outlive this.
  FractionalTrials(const TreeView& tree, const std::uint8_t* missing_seen, NodeSums sums,
                   PessimisticError estimate, bool raising, std::vector<Freedom> freedom)
      : pruning_(tree, missing_seen, std::move(sums), estimate, raising, std::move(freedom)) {}

  // What the parts are to do next, after the changes so far; empty when the pruning is done.
  PieceOrder next();
  // The answer of all parts; `unit` is the weight of one in its sums.
  void take(const Arrivals& arrivals, double unit);

  ErrorBasedPruning& pruning() { return pruning_; }

 private:
  struct Tried {
    Raising raising;
    PiecesTrial found;
  };
  // A surviving node that pieces reach next.
  struct Reached {
    std::size_t trial;
    double share;
  };

  PieceOrder begin();
  void take_known(std::int32_t node, std::size_t trial, const Arrivals& arrivals);

  ErrorBasedPruning pruning_;
  std::vector<Tried> tried_;
  std::map<std::int32_t, Reached> reached_;
  std::vector<std::pair<std::size_t, KnownAt>> known_;  // trials and nodes to divide
};

}  // namespace hardwood
