#include "distributed/parts_boosting.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/exact_total.hpp"
#include "boosting/row_factors.hpp"

namespace hardwood {

namespace {

constexpr int digit_bits = 11;  // weights are below 2^53: five digits
constexpr std::int64_t no_row = std::numeric_limits<std::int64_t>::max();  // as the least weight that is seen

}  // namespace

FactorTotals PartsBoosting::totals() {
  if (!totals_) totals_ = std::get<FactorTotals>(team_.ask({}, {TotalsOf{booster_.number}}).requests[0]);
  return *totals_;
}

double PartsBoosting::exact_total() {
  const TeamAnswer answer = team_.ask(std::exchange(waiting_, {}), {ExactTotalOf{booster_.number}});
  return hardwood::exact_total(std::get<std::vector<double>>(answer.requests[0]));
}

void PartsBoosting::scale(double by) {
  waiting_.push_back(ScaleFactors{booster_.number, by});
}

// The largest weight w such that rows of at least w hold the wanted share, digit by digit.
std::int64_t PartsBoosting::least_weight(double weight_fraction) {
  const TeamAnswer rounded = team_.ask(std::exchange(waiting_, {}), {});
  weight_ = std::get<std::int64_t>(rounded.events.back());
  const double wanted = weight_fraction * static_cast<double>(weight_);
  std::int64_t heavier = 0, prefix = 0;
  for (int shift = 4 * digit_bits; shift >= 0; shift -= digit_bits) {
    const TeamAnswer answer = team_.ask({}, {WeightDigits{shift, digit_bits, prefix}});
    const auto& sums = std::get<std::vector<std::int64_t>>(answer.requests[0]);
    auto digit = static_cast<std::int64_t>(sums.size()) - 1;
    for (; digit >= 0; --digit) {
      if (sums[digit] && static_cast<double>(heavier + sums[digit]) >= wanted) break;
      heavier += sums[digit];
    }
    if (digit < 0) return 1;
    prefix = (prefix << digit_bits) + digit;
  }
  return std::max<std::int64_t>(prefix, 1);
}

std::vector<Request> PartsBoosting::root_requests() const {
  QuestionBatch uncoded;
  ask_uncoded(plan_, nullptr, 0, uncoded);
  return {HistogramsOf{{0}}, RowsOf{0}, uncoded};
}

// The last event was StartRows.
void PartsBoosting::take_root(const TeamAnswer& answer, std::size_t first_request) {
  const auto& sums = std::get<std::vector<std::int64_t>>(answer.events.back());
  root_ = {};
  root_.weights.assign(sums.begin(), sums.begin() + booster_.classes);
  if (booster_.counted) root_.examples = static_cast<double>(sums.back());
  root_.cells = std::get<HistogramBatch>(answer.requests.at(first_request)).cells(0);
  root_.rows = std::get<std::int64_t>(answer.requests.at(first_request + 1));
  root_.uncoded = std::get<KeySumsBatch>(answer.requests.at(first_request + 2)).sums;
}

void PartsBoosting::begin_round(int exponent, Trimming trimming, Pool&) {
  all_seen_ = trimming.weight_fraction == 1;
  exponent_ = exponent;
  const std::optional<int> begun = std::exchange(begun_, {});
  if (begun != exponent || !waiting_.empty()) {
    waiting_.push_back(RoundWeights{booster_.number, exponent});
    const std::int64_t least = all_seen_ ? 1 : least_weight(trimming.weight_fraction);
    waiting_.push_back(StartRows{booster_.target, least});
    const TeamAnswer answer = team_.ask(std::exchange(waiting_, {}), root_requests());
    if (all_seen_) weight_ = std::get<std::int64_t>(answer.events[answer.events.size() - 2]);
    take_root(answer, 0);
  }
  seen_rows_ = root_.rows;
  seen_weight_ = 0;
  for (double weight : root_.weights) seen_weight_ += weight;
}

Growth PartsBoosting::grow(GrowthRules rules, Search, Pool& pool, const Poll& poll) {
  rules_ = rules;
  if (rules_.allowed) {  // of all uncoded columns, those that may be used
    std::vector<KeySums> usable;
    std::size_t at = 0;
    for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
      if (plan_.columns[c].coding != PartCoding::uncoded) continue;
      if ((*rules_.allowed)[c]) usable.push_back(std::move(root_.uncoded[at]));
      ++at;
    }
    root_.uncoded = std::move(usable);
  }
  store_ = std::make_unique<PartsStore>(team_, plan_, rules_, std::move(root_), pool, poll);
  Growth growth = grow_open(*store_, rules_, booster_.classes, poll);
  const std::int64_t columns = rules_.allowed
                                   ? std::count(rules_.allowed->begin(), rules_.allowed->end(), char{1})
                                   : static_cast<std::int64_t>(plan_.columns.size());
  growth.assessments = columns * growth.searched_rows;
  return growth;
}

void PartsBoosting::complete(Growth& growth) {
  if (!store_) return;
  hardwood::complete(*store_, growth);
  if (booster_.pairs && growth.pairs.rows.empty())  // no factor was multiplied
    take_pairs(team_.ask({pairs_of(growth)}, {}).events[0], growth);
  store_ = nullptr;
}

SumPairs PartsBoosting::pairs_of(const Growth& growth) const {
  SumPairs out{{}, {}, growth.tree.size(), seen_rows_ < booster_.rows};
  for (std::size_t node = 0; node < growth.tree.size(); ++node) {
    if (growth.tree.kind[node] != leaf_node) continue;
    for (std::int32_t name : store_->names_of(static_cast<std::int32_t>(node))) {
      out.nodes.push_back(name);
      out.leaves.push_back(static_cast<std::int32_t>(node));
    }
  }
  return out;
}

void PartsBoosting::take_pairs(const EventAnswer& answer, Growth& growth) const {
  const auto& sums = std::get<std::vector<std::int64_t>>(answer);
  const std::size_t cells = growth.tree.size() * static_cast<std::size_t>(booster_.pairs);
  if (sums.size() != 3 * cells) throw std::invalid_argument("sums of other pairs");
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(cells);
  growth.pairs = {{sums.begin(), middle}, {middle, sums.end()}};
}

std::vector<std::int64_t> PartsBoosting::route_unseen(Growth& growth) {
  if (seen_rows_ == booster_.rows) return {};
  hardwood::complete(*store_, growth);
  const TeamAnswer answer = team_.ask({RouteRows{splits_of_tree(view_of(growth.tree), plan_)}}, {});
  return std::get<std::vector<std::int64_t>>(answer.events[0]);
}

// The weight after the round, as far as the leaves tell it: the logistic weights change by little.
int PartsBoosting::likely_exponent(const Growth& growth, const std::vector<LeafFactors>& by_node) const {
  if (booster_.logistic) return exponent_;
  double weight = 0;
  for (std::size_t node = 0; node < by_node.size(); ++node) {
    if (growth.tree.kind[node] != leaf_node) continue;
    for (int c = 0; c < booster_.classes; ++c)
      weight += growth.tree.class_weights[node * booster_.classes + c] *
                (c == by_node[node].label ? by_node[node].same : by_node[node].other);
  }
  return grid_exponent(std::ldexp(weight, -exponent_));
}

void PartsBoosting::multiply(Growth& growth, const std::vector<LeafFactors>& by_node, bool more, Pool&) {
  MultiplyFactors seen{booster_.number, {}, {}, false};
  for (std::size_t node = 0; node < by_node.size(); ++node) {
    if (growth.tree.kind[node] != leaf_node) continue;
    for (std::int32_t name : store_->names_of(static_cast<std::int32_t>(node))) {
      seen.nodes.push_back(name);
      seen.by.push_back(by_node[node]);
    }
  }
  std::vector<Event> events{std::move(seen)};
  if (seen_rows_ < booster_.rows) events.push_back(MultiplyFactors{booster_.number, {}, by_node, true});
  const std::size_t pairs_at = events.size();
  if (booster_.pairs) events.push_back(pairs_of(growth));
  std::vector<Request> requests{TotalsOf{booster_.number}};
  if (more && all_seen_) {
    begun_ = likely_exponent(growth, by_node);
    events.push_back(RoundWeights{booster_.number, *begun_});
    events.push_back(StartRows{booster_.target, 1});
    for (Request& request : root_requests()) requests.push_back(std::move(request));
  }
  store_->end_growth();
  const TeamAnswer answer = store_->flush(std::move(events), requests);
  totals_ = std::get<FactorTotals>(answer.requests[0]);
  if (booster_.pairs) take_pairs(answer.events.at(pairs_at), growth);
  if (!begun_) return;
  weight_ = std::get<std::int64_t>(answer.events[answer.events.size() - 2]);
  take_root(answer, 1);
}

void PartsBoosting::multiply(SplitBatch tree, const std::vector<LeafFactors>& by_node) {
  std::vector<Event> events = std::exchange(waiting_, {});
  events.push_back(StartRows{booster_.target, no_row});
  events.push_back(RouteRows{std::move(tree)});
  events.push_back(MultiplyFactors{booster_.number, {}, by_node, true});
  totals_ = std::get<FactorTotals>(team_.ask(events, {TotalsOf{booster_.number}}).requests[0]);
}

}  // namespace hardwood
