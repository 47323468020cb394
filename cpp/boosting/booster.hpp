// AdaBoost, one round at a time (PAPERS 5).
//
// A row's factor is exp(-y F(x)) (two classes), or the product of the factors of the trees that were right
// (SAMME): multiplied once per round by a number that its leaf and class share. A round's whole-number
// weights come from weight x factor, never from the last round's.
#pragma once

#include <cstdint>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "boosting/leaf_factors.hpp"
#include "data/problem.hpp"
#include "growing/grower.hpp"
#include "growing/workspace.hpp"

namespace hardwood {

enum class Search : std::uint8_t { exhaustive, automatic, adaptive, quick };

struct BoostingRules {
  Variant variant = Variant::real;
  double learning_rate = 1;
  double leaf_ratio_cap = 0x1p12;  // real: W+/W- of a leaf is kept within this and its inverse
  double weight_fraction = 1;      // share of the weight that a tree sees, heaviest rows first
  double min_weight_fraction_leaf = 0;
  GrowthRules growth;  // its limits are set by each round
  double min_examples = 0;
  Search search = Search::automatic;
};

// Weights of the rows as given: null for 1 each. `whole`: all are whole numbers.
struct GivenWeights {
  const double* weights = nullptr;
  bool whole = true;
  const std::int64_t* examples = nullptr;
};

struct Round {
  Growth growth;
  std::vector<double> value;  // per node: score of a leaf (discrete: +1 or -1; SAMME: its class)
  double tree_weight = 0;
  double error = 0;        // weighted, of the round's tree
  double bound = 0;        // mean factor after the round: the product of the normalisers
  double seen_weight = 0;  // share of the weight that the tree saw
  Stop stop = Stop::not_yet;
};

class Booster {
 public:
  Booster(const EncodedTable& table, std::vector<std::int32_t> labels, int classes, Criterion criterion,
          GivenWeights given, const BoostingRules& rules);

  // Trains one tree. With Stop::chance the tree is to be dropped, and the factors are as before.
  Round run(const std::vector<char>* allowed, Pool& pool, const Poll& poll);

  // Brings the factors, round by round, to where they were after a round whose tree sends row i to leaf[i].
  void replay(const std::int32_t* leaf, const std::vector<double>& value, double tree_weight, double error);

 private:
  struct LeafRows {
    std::int32_t node;
    NodeRows rows;
  };
  // The rows that a tree sees and those it does not, by class.
  struct Chosen {
    std::vector<std::uint32_t> rows, absent;
    NodeRows root, absent_root;
    std::int64_t weight = 0;
  };

  double given_weight(std::size_t row) const { return given_.weights ? given_.weights[row] : 1.0; }
  void set_weights();
  double total_of_factors() const;
  bool pruning_pays();
  void sort_rows(Pool& pool);
  void list_by_class();
  std::int64_t least_weight() const;
  Chosen choose_rows() const;
  void score(Round& round, const std::vector<LeafRows>& absent,
             const std::vector<std::uint32_t>& absent_rows) const;
  LeafFactors factors(const Round& round, std::int32_t node) const {
    return leaf_factors(rules_.variant, rules_.learning_rate, problem_.classes, round.value[node], round.error);
  }
  void update(const Round& round, const std::vector<std::uint32_t>& rows);
  std::vector<LeafRows> route_absent(const Growth& growth, std::vector<std::uint32_t>& rows,
                                     const NodeRows& root);
  void note_scale(const Round& round);
  void multiply(const LeafFactors& factors, const NodeRows& node, const std::vector<std::uint32_t>& rows);

  const EncodedTable& given_table_;
  EncodedTable table_;                   // the rows in the booster's own order, once that is not the given one
  std::vector<std::uint32_t> original_;  // the given number of each row; empty: the given order
  int rounds_since_sorting_ = 0;
  int rounds_without_pruning_ = 0;  // still to come, after a round in which it did not pay
  std::vector<std::int32_t> labels_;
  GivenWeights given_;  // points into own_weights_ and own_examples_ once rows are sorted
  std::vector<double> own_weights_;
  std::vector<std::int64_t> own_examples_;
  BoostingRules rules_;
  std::vector<double> factor_;
  std::vector<std::int64_t> weights_;  // this round's whole numbers
  std::int64_t weight_total_ = 0, lightest_ = 0;
  std::vector<std::uint32_t> by_class_;  // all rows
  NodeRows all_;
  double total_ = 0;  // of weight x factor
  double given_total_ = 0;
  double log_scale_ = 0;  // of the factors against exp(-yF)
  Problem problem_;
  Workspace<std::int64_t> workspace_;
};

}  // namespace hardwood
