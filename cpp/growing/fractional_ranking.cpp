#include "growing/fractional_ranking.hpp"

#include <algorithm>
#include <numeric>

#include "growing/fractional_division.hpp"
#include "growing/partition.hpp"
#include "search/fractional/fractional_search.hpp"

namespace hardwood {

namespace {

double weight_of(const Items& items, const ClassRows& part) {
  return static_cast<double>(
      std::accumulate(items.weight.begin() + part.begin, items.weight.begin() + part.end, std::int64_t{0}));
}

}  // namespace

PiecesOfNode::PiecesOfNode(const Problem& problem, Items own, double root_weight,
                           const std::vector<SplitAbove>& above, const GrowthRules& rules)
    : items(std::move(own)) {
  const auto set = [&](const LeafRules& leaf_rules, Leaf& node) {
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
    for (const ClassRows& part : items.by_class.classes) {
      labels.push_back(part.label);
      weights.push_back(weight_of(items, part));
    }
    const auto examples =
        static_cast<double>(std::accumulate(items.examples.begin(), items.examples.end(), std::int64_t{0}));
    leaf_rules.set_totals(node, std::move(labels), std::move(weights), problem.examples ? examples : -1);
  };
  leaf = leaf_of(above, static_cast<std::size_t>(problem.classes), root_weight, rules, set);
}

std::vector<RankedSplit> ranked_pieces(const Problem& problem, const PiecesOfNode& node, double root_weight,
                                       const GrowthRules& rules, const RankingRequest& request, Pool& pool,
                                       const Poll& poll) {
  if (node.items.by_class.classes.size() < 2) return {};
  const MultiwayOffer offer = offer_at(rules, request.leaves);
  const MultiwayRequest asked{node.leaf->totals, offer.prices, offer.min_drop, root_weight, 0};
  auto found =
      ranked_columns(problem, node.items, asked, LeafRules(rules).allowed(*node.leaf), request.all, pool, poll);
  keep_first(found, request.most, offer.prices.size() > 3);
  for (RankedSplit& each : found) complete_pieces(problem, node, each.split);
  return found;
}

void complete_pieces(const Problem& problem, const PiecesOfNode& node, Split& split) {
  const std::vector<Items> branches = divide(problem, node.items, split);
  const auto& labels = node.leaf->labels;
  split.weights.assign(branches.size() * labels.size(), 0.0);
  for (std::size_t b = 0; b < branches.size(); ++b)
    for (const ClassRows& part : branches[b].by_class.classes) {
      const auto at = std::lower_bound(labels.begin(), labels.end(), part.label) - labels.begin();
      split.weights[b * labels.size() + static_cast<std::size_t>(at)] = weight_of(branches[b], part);
    }
  if (!split.given.empty()) return;
  const EncodedColumn& column = problem.table->columns[split.column];
  for (std::size_t i = 0; i < split.cuts.size(); ++i)
    split.given.push_back(threshold_of_codes(column, split.below[i], split.above[i]));
}

}  // namespace hardwood
