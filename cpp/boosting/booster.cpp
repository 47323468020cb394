#include "boosting/booster.hpp"

#include <algorithm>
#include <cmath>

#include "boosting/row_factors.hpp"
#include "boosting/score_constraint.hpp"

namespace hardwood {

namespace {

constexpr double large_total = 0x1p200;
constexpr double ln2 = 0.69314718055994531;

// True when rounding the sum could have changed its exponent.
bool near_power_of_two(double total) {
  int exponent = 0;
  const double mantissa = std::frexp(total, &exponent);
  return mantissa < 0.5 + 1e-9 || mantissa > 1 - 1e-9;
}

}  // namespace

Booster::Booster(BoostingStore& store, int classes, const BoostingRules& rules)
    : store_(store), classes_(classes), rules_(rules), cut_shares_(rules.cut_fraction),
      totals_(store.totals()) {
  for (std::uint32_t j = 0; j < store.columns(); ++j) {
    const std::uint32_t values = store.few_values(j);
    cut_shares_.add_column(values);
    draws_cuts_ |= values != 1 && cut_shares_.below(j) != CutShares::every_cut;
  }
  const double start = round_weight(1, logistic());
  given_total_ = totals_.weight / start;
  if (rules.leaf_prior > 0 && !store.whole()) example_weight_ = store.exact_total() / start / totals_.rows;
}

// The exponent of the round's grid; totals beyond reason are scaled first (a power of two: nothing is rounded).
int Booster::round_weights() {
  double total = totals_.weight;
  if (!logistic() && (total > large_total || total < 1 / large_total)) {
    const double by = total > large_total ? 1 / large_total : large_total;
    store_.scale(by);
    log_scale_ += std::log(by);
    scale_ *= by;
    total = totals_.weight *= by;
  }
  if (near_power_of_two(total)) total = store_.exact_total();
  return grid_exponent(total);
}

// Of each class in a leaf, in the units of the round.
double Booster::prior(int exponent) const {
  if (rules_.leaf_prior == 0) return 0;  // the scale may be infinite
  return rules_.leaf_prior * example_weight_ * std::ldexp(scale_, exponent);
}

void Booster::constrain(GrowthRules& growth, int exponent) const {
  if (!rules_.monotone) return;
  growth.monotone = std::make_shared<ScoreConstraints>(
      ScoreRules{*rules_.monotone, rules_.variant, growth.criterion, rules_.leaf_ratio_cap, prior(exponent)});
}

// Leaf values, error and weight of a grown tree; `unseen` are the class weights of the rows it did not see.
void Booster::score(Round& round, const std::vector<std::int64_t>& unseen, int exponent) const {
  const Tree& tree = round.growth.tree;
  const double in_units = prior(exponent);
  round.value.assign(tree.size(), 0.0);
  double mistakes = 0, drop = 0;
  std::vector<double> all(static_cast<std::size_t>(classes_));
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree.kind[n] != leaf_node) continue;
    const double* w = tree.class_weights.data() + n * classes_;
    double& value = round.value[n];
    value = leaf_value(rules_.variant, rules_.leaf_ratio_cap, in_units, classes_, w);
    auto label = std::max_element(w, w + classes_) - w;
    if (!round.growth.intervals.empty()) {
      value = clipped_value(rules_.variant, round.growth.intervals[n], value);
      if (rules_.variant == Variant::discrete) label = value > 0 ? 1 : 0;
    }
    for (int c = 0; c < classes_; ++c) {
      all[c] = w[c] + (unseen.empty() ? 0.0 : static_cast<double>(unseen[n * classes_ + c]));
      if (c != label) mistakes += all[c];
    }
    if (logistic()) drop += proved_drop(rules_.learning_rate * value, all[0], all[1]);
  }
  const double weight = store_.weight();
  round.error = mistakes / weight;
  round.tree_weight = tree_weight(rules_.variant, rules_.learning_rate, classes_, mistakes, weight);
  if (logistic()) round.proved_drop = std::ldexp(drop, -exponent) / given_total_;
  if (rules_.variant == Variant::discrete) round.stop = stop_after(mistakes, weight, classes_);
  else if (!draws_cuts_ && tree.size() == 1 && round.value[0] == 0) round.stop = Stop::nothing_left;
}

std::vector<LeafFactors> Booster::factors(const std::vector<double>& value, double error) const {
  std::vector<LeafFactors> out;
  for (double each : value) out.push_back(factors(each, error));
  return out;
}

double Booster::bound() const {
  if (logistic()) return totals_.loss / given_total_ / ln2;
  return std::exp(std::log(totals_.weight / given_total_) - log_scale_);
}

Round Booster::run(const std::vector<char>* allowed, std::uint64_t cut_seed, bool more, Pool& pool,
                   const Poll& poll) {
  const int exponent = round_weights();
  store_.begin_round(exponent, rules_.trimming, pool);
  Round round;
  GrowthRules growth = rules_.growth;
  growth.allowed = allowed;
  growth.limits = {rules_.min_weight_fraction_leaf * store_.seen_weight(), rules_.min_examples,
                   draws_cuts_ ? CutDraw(cut_shares_, cut_seed) : CutDraw()};
  constrain(growth, exponent);
  round.growth = store_.grow(growth, rules_.search, pool, poll);
  const auto columns = allowed ? std::count(allowed->begin(), allowed->end(), char{1})
                               : static_cast<std::int64_t>(store_.columns());
  round.exhaustive_assessments = columns * round.growth.searched_rows;
  score(round, store_.route_unseen(round.growth), exponent);
  round.seen_weight = store_.seen_weight() / store_.weight();
  if (round.stop != Stop::chance) {
    store_.multiply(round.growth, factors(round.value, round.error), more && round.stop == Stop::not_yet, pool);
    note_round(round.value.back(), round.error);
  } else if (rules_.pass_over_chance) {
    round.stop = Stop::not_yet;
    round.tree_weight = 0;
  }
  store_.complete(round.growth);
  if (totals_.weight < vanished) round.stop = Stop::nothing_left;
  if (logistic()) round.loss = totals_.loss / given_total_;
  round.bound = bound();
  return round;
}

double Booster::replay(const std::vector<double>& value, double error,
                       const std::function<void(const std::vector<LeafFactors>&)>& multiply) {
  round_weights();
  multiply(factors(value, error));
  note_round(value.back(), error);
  return bound();
}

// Discrete: only the rows that were right are multiplied, which scales exp(-yF) by the root of their factor.
void Booster::note_round(double last_value, double error) {  // the last node is a leaf
  if (rules_.variant == Variant::discrete) log_scale_ += std::log(factors(last_value, error).same) / 2;
  totals_ = store_.totals();
}

}  // namespace hardwood
