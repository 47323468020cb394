// AdaBoost, one round at a time (docs/theory/rules.md#boosting), wherever the rows are.
//
// A row's factor is multiplied once per round by a number that its leaf and class share. A round's whole-number
// weights come from weight x factor, never from the last round's.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "boosting/boosting_store.hpp"

namespace hardwood {

struct BoostingRules {
  Variant variant = Variant::real;
  double learning_rate = 1;
  double leaf_ratio_cap = 0x1p12;  // real, logistic: W+/W- of a leaf is kept within this and its inverse
  double leaf_prior = 0;           // examples of each class that are added to a leaf
  Trimming trimming;
  double cut_fraction = 1;  // share of the cuts of numeric columns that a tree may use
  double min_weight_fraction_leaf = 0;
  double min_examples = 0;
  bool pass_over_chance = false;          // a tree no better than chance has weight 0, and training goes on
  std::shared_ptr<const Signs> monotone;  // null: no constraints on the score
  GrowthRules growth;                     // its limits and constraints are set by each round
  Search search = Search::automatic;
};

struct Round {
  Growth growth;
  std::vector<double> value;  // per node: score of a leaf (discrete: +1 or -1; SAMME: its class)
  double tree_weight = 0;
  double error = 0;  // weighted, of the round's tree
  double bound = 0;  // of the training error: the product of the normalisers; logistic: mean loss / ln 2
  double loss =
      std::numeric_limits<double>::quiet_NaN();  // logistic: the mean of ln(1 + factor) after the round
  double proved_drop =
      std::numeric_limits<double>::quiet_NaN();  // logistic: of the mean loss, what the leaves prove
  double seen_weight = 0;                        // share of the weight that the tree saw
  std::int64_t exhaustive_assessments = 0;
  Stop stop = Stop::not_yet;
};

class Booster {
 public:
  Booster(BoostingStore& store, int classes, const BoostingRules& rules);

  // Trains one tree. With Stop::chance the tree is to be dropped, and the factors are as before; they are also
  // where such a tree is passed over. cut_seed: draws the cuts. more: another round is to follow.
  Round run(const std::vector<char>* allowed, std::uint64_t cut_seed, bool more, Pool& pool, const Poll& poll);

  // Brings the factors to where they were after a round of an earlier fit, whose tree sends the rows where
  // `multiply` sends them; the bound after it.
  double replay(const std::vector<double>& value, double error,
                const std::function<void(const std::vector<LeafFactors>&)>& multiply);

 private:
  int round_weights();
  double prior(int exponent) const;
  void constrain(GrowthRules& growth, int exponent) const;
  void score(Round& round, const std::vector<std::int64_t>& unseen, int exponent) const;
  bool logistic() const { return rules_.variant == Variant::logistic; }
  LeafFactors factors(double value, double error) const {
    return leaf_factors(rules_.variant, rules_.learning_rate, classes_, value, error);
  }
  std::vector<LeafFactors> factors(const std::vector<double>& value, double error) const;
  void note_round(double last_value, double error);
  double bound() const;

  BoostingStore& store_;
  int classes_;
  BoostingRules rules_;
  CutShares cut_shares_;
  bool draws_cuts_ = false;  // some column is looked at in part
  FactorTotals totals_;
  double given_total_ = 0;     // of the caller's weights
  double example_weight_ = 1;  // of one example: 1 while all weights are whole numbers, else their mean
  double scale_ = 1;           // real: what the factors were scaled by, a power of two
  double log_scale_ = 0;       // of the factors against exp(-yF)
};

}  // namespace hardwood
