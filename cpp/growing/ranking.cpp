#include "growing/ranking.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "data/code_reader.hpp"
#include "growing/partition.hpp"
#include "growing/workspace.hpp"
#include "search/multiway/multiway_search.hpp"

namespace hardwood {

namespace {

// The values present at the node on either side of a cut, and the threshold between them. Of several cuts the
// search has noted the values.
void set_threshold(const RankedNode& node, Split& split) {
  if (split.cuts.empty()) return;
  const EncodedColumn& column = node.problem.table->columns[split.column];
  if (split.arity > 2) {
    for (std::size_t i = 0; i < split.cuts.size(); ++i)
      split.given.push_back(threshold_of_codes(column, split.below[i], split.above[i]));
    return;
  }
  std::uint64_t below = 0, above = std::numeric_limits<std::uint64_t>::max();
  with_codes(*node.problem.table, column, [&](auto code_of) {
    for (std::uint32_t i = node.node.begin; i < node.node.end; ++i) {
      const std::uint64_t code = code_of(node.rows[i]);
      if (code == column.values) continue;
      if (code <= split.cuts[0]) below = std::max(below, code);
      else above = std::min(above, code);
    }
  });
  split.given.assign(1, threshold_of_codes(column, below, above));
}

// Every cut of a numeric column.
void add_cuts(const NodeTotals& totals, std::uint32_t column, const Groups& groups,
              std::vector<RankedSplit>& out) {
  std::vector<double> left(totals.classes), right(totals.classes);
  for (std::int32_t side = groups.any_missing ? 0 : 1; side < 2; ++side) {
    const auto left_of = [&](std::size_t i, int c) {
      return groups.left[c * groups.stride + i] + (side == 1 ? 0.0 : groups.missing[c]);
    };
    const std::size_t end = groups.count + (side == 1 && groups.any_missing ? 1 : 0);
    for (std::size_t i = 1; i < end; ++i) {
      for (int c = 0; c < totals.classes; ++c) {
        left[c] = left_of(i, c);
        right[c] = totals.total[c] - left[c];
      }
      RankedSplit ranked;
      Split& split = ranked.split;
      const double cost = with_criterion(totals.criterion, [&]<Criterion K>() {
        return phi<K>(left.data(), totals.classes) + phi<K>(right.data(), totals.classes);
      });
      const auto weight_of = [&](int c) { return left_of(i, c); };
      split.cost = totals.cost_of(i < groups.count ? column : none, weight_of, cost, impossible);
      if (split.cost == impossible) continue;
      split.column = column;
      split.rank = groups.code[i - 1];
      split.missing_branch = groups.any_missing ? side : -1;
      split.set_cut(groups.code[i - 1], groups.code[i - 1], i < groups.count ? groups.code[i] : none);
      totals.set_weights(split, weight_of);
      out.push_back(std::move(ranked));
    }
  }
}

// A node above, with its split.
LeafPtr split_leaf(const SplitAbove& above, std::size_t classes, const LeafRules& leaf_rules) {
  const std::size_t branches = above.weights.size() / classes;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  for (std::size_t k = 0; k < classes; ++k) {
    double sum = 0;
    for (std::size_t b = 0; b < branches; ++b) sum += above.weights[b * classes + k];
    if (sum <= 0) continue;
    labels.push_back(static_cast<std::int32_t>(k));
    weights.push_back(sum);
  }
  auto leaf = std::make_unique<Leaf>();
  leaf->split.column = above.column;
  leaf->split.arity = static_cast<std::int32_t>(branches);
  if (above.parts_values) leaf->split.cuts.push_back(0);
  for (std::size_t b = 0; b < branches; ++b)
    for (std::int32_t label : labels) leaf->split.weights.push_back(above.weights[b * classes + label]);
  leaf_rules.set_totals(*leaf, std::move(labels), std::move(weights), -1);
  return leaf;
}

// From the rows of the node.
void set_sums(const RankedNode& node, const LeafRules& leaf_rules, Leaf& leaf) {
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  double examples = node.problem.examples ? 0 : -1;
  for (const ClassRows& part : node.node.classes) {
    std::int64_t weight = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
      weight += node.problem.weight(node.rows[i]);
      if (node.problem.examples) examples += static_cast<double>(node.problem.examples[node.rows[i]]);
    }
    labels.push_back(part.label);
    weights.push_back(static_cast<double>(weight));
  }
  leaf_rules.set_totals(leaf, std::move(labels), std::move(weights), examples);
}

template <class Cell>
class Ranking {
 public:
  Ranking(const RankedNode& node, const GrowthRules& rules, const RankingRequest& request, Pool& pool)
      : node_(node), request_(request), offer_(offer_at(rules, request.leaves)), table_(*node.problem.table),
        workspace_(node.problem), leaf_(leaf_of(node, rules)), totals_(leaf_->totals),
        allowed_(LeafRules(rules).allowed(*leaf_)), rows_(node.rows), pool_(pool) {
    cells_ = workspace_.builder.build(node.node, {rows_.data()}, pool);
  }

  std::vector<RankedSplit> run() {
    NodeView<Cell> view{
        node_.problem, workspace_.builder.layout(), node_.node, rows_.data(), cells_.get(), totals_, {}};
    for (int channel : workspace_.builder.channels(node_.node))
      view.channel_offset.push_back(channel * workspace_.builder.layout().total);
    const std::size_t lanes = table_.lanes.size();
    pool_.parallel_for(lanes + 1, [&](std::size_t l) {
      auto search = workspace_.searches.take();
      std::vector<RankedSplit> own;
      const auto whole = [&](std::uint32_t c, const Groups& groups) {
        if (!allows(c)) return;
        if (request_.all && table_.columns[c].kind != ColumnKind::category) {
          add_cuts(totals_, c, groups, own);
        } else {
          search->begin();
          search->try_column(view, c, groups);
          keep(*search, own);
        }
        try_several(c, groups, own);
      };
      if (l == lanes) search->visit_entries(view, whole);
      else if (request_.all) search->visit_lane(view, static_cast<std::uint32_t>(l), whole);
      else best_of_lane(view, static_cast<std::uint32_t>(l), *search, own);
      keep_first(own, request_.most, several());
      std::lock_guard lock(mutex_);
      for (RankedSplit& each : own) found_.push_back(std::move(each));
      workspace_.searches.give_back(std::move(search));
    });
    keep_first(found_, request_.most, several());
    for (RankedSplit& each : found_) {
      set_threshold(node_, each.split);
      each.split.set_default_branch();
    }
    return std::move(found_);
  }

 private:
  bool allows(std::uint32_t column) const { return !allowed_ || (*allowed_)[column]; }
  bool several() const { return offer_.prices.size() > 3; }
  void keep(NodeSearch<Cell>& search, std::vector<RankedSplit>& out) {
    if (search.best().found()) out.push_back({search.best(), search.exact()});
  }

  // Splits of three or more branches. The best of them takes the place of the column's best split in two where
  // it has more merit, as in growth.
  void try_several(std::uint32_t c, const Groups& groups, std::vector<RankedSplit>& out) {
    if (!several()) return;
    RankedSplit* binary = nullptr;
    for (RankedSplit& each : out) {
      if (each.split.column != c) continue;
      each.split.merit = totals_.cost - each.split.cost;
      if (!request_.all) binary = &each;
    }
    const double to_beat = binary ? binary->split.merit : 0.0;
    const MultiwayRequest request{totals_, offer_.prices, offer_.min_drop, node_.root_weight, to_beat};
    MultiwaySearch search;
    search.begin();
    search.try_column(request, table_.columns[c].kind, c, groups);
    if (binary) binary->exact = binary->exact && search.exact();
    if (!search.best().found() || to_beat >= search.best().merit) return;
    if (binary) binary->split = search.best();
    else out.push_back({search.best(), search.exact()});
  }

  void best_of_lane(const NodeView<Cell>& view, std::uint32_t lane, NodeSearch<Cell>& search,
                    std::vector<RankedSplit>& out) {
    std::vector<char> only(table_.columns.size(), 0);
    for (std::uint32_t c : table_.lanes[lane].columns) {
      if (!allows(c)) continue;
      only[c] = 1;
      search.begin();
      search.try_lane(view, lane, &only);
      search.open_buckets(view, &pool_);
      keep(search, out);
      only[c] = 0;
    }
    if (several())
      search.visit_lane(view, lane, [&](std::uint32_t c, const Groups& groups) {
        if (allows(c)) try_several(c, groups, out);
      });
  }

  const RankedNode& node_;
  const RankingRequest& request_;
  const MultiwayOffer offer_;
  const EncodedTable& table_;
  Workspace<Cell> workspace_;
  LeafPtr leaf_;
  const NodeTotals& totals_;
  const std::vector<char>* allowed_;
  std::vector<std::uint32_t> rows_;
  Pool& pool_;
  typename HistogramBuilder<Cell>::Buffer cells_;
  std::mutex mutex_;
  std::vector<RankedSplit> found_;
};

}  // namespace

MultiwayOffer offer_at(const GrowthRules& rules, std::int64_t leaves) {
  MultiwayOffer offer{{}, rules.min_drop};
  if (!rules.prices) return offer;
  const std::int64_t widest = rules.prices->widest(leaves);
  offer.prices.assign(static_cast<std::size_t>(widest) + 1, 0.0);
  for (std::int64_t k = 2; k <= widest; ++k) offer.prices[static_cast<std::size_t>(k)] = rules.prices->price(k);
  return offer;
}

LeafPtr leaf_of(const std::vector<SplitAbove>& path, std::size_t classes, double root_weight,
                const GrowthRules& rules, const std::function<void(const LeafRules&, Leaf&)>& set_sums) {
  LeafRules leaf_rules(rules);
  LeafPtr parent;
  std::int32_t branch = 0;
  const auto place = [&](Leaf& leaf) {
    if (parent) leaf_rules.inherit(*parent, branch, leaf);
    else leaf_rules.set_root(leaf);
  };
  for (const SplitAbove& above : path) {
    LeafPtr next = split_leaf(above, classes, leaf_rules);
    place(*next);
    parent = std::move(next);
    branch = above.branch;
  }
  auto leaf = std::make_unique<Leaf>();
  leaf_rules.set_root_weight(root_weight);
  set_sums(leaf_rules, *leaf);
  place(*leaf);
  return leaf;
}

LeafPtr leaf_of(const RankedNode& node, const GrowthRules& rules) {
  return leaf_of(node.above, static_cast<std::size_t>(node.problem.classes), node.root_weight, rules,
                 [&](const LeafRules& leaf_rules, Leaf& leaf) { set_sums(node, leaf_rules, leaf); });
}

std::vector<RankedSplit> ranked_splits(const RankedNode& node, const GrowthRules& rules,
                                       const RankingRequest& request, Pool& pool) {
  if (node.node.classes.size() < 2) return {};
  if (node.problem.weights) return Ranking<std::int64_t>(node, rules, request, pool).run();
  return Ranking<std::uint32_t>(node, rules, request, pool).run();
}

}  // namespace hardwood
