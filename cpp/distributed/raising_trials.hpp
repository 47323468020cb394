// The coordinator of pruning over parts: which raisings to try in one round trip, and what follows.
//
// A raising is tried in stages: some rows of each part can show that it is in vain. Every stage starts from the
// first row again, which costs little since stages grow fast, so an answer never depends on an earlier one.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/trial.hpp"
#include "pruning/error_based.hpp"

namespace hardwood {

class RaisingTrials {
 public:
  // As for ErrorBasedPruning; the tree must outlive this.
  RaisingTrials(const TreeView& tree, const std::uint8_t* missing_seen, NodeSums sums,
                PessimisticError estimate, bool raising, std::vector<Freedom> freedom)
      : pruning_(tree, missing_seen, std::move(sums), estimate, raising, std::move(freedom)),
        trial_at_(tree.nodes, -1) {}

  // Those that can be tried now, none below another; none when the pruning is done.
  std::vector<Trial> next();
  // The answer of all parts; `unit` is the weight of one in its sums.
  void take(const Arrivals& arrivals, double unit);

  ErrorBasedPruning& pruning() { return pruning_; }

 private:
  struct Tried {
    Raising raising;
    std::int64_t rows;
  };

  Tried& trial_above(std::int32_t node);
  void add_up(const Arrivals& arrivals, double unit);

  ErrorBasedPruning pruning_;
  std::vector<Tried> tried_;
  std::vector<std::int32_t> trial_at_;  // by node: its number in tried_, or -1
};

}  // namespace hardwood
