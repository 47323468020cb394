#include "growing/ranking.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

#include "data/code_reader.hpp"
#include "growing/partition.hpp"
#include "growing/workspace.hpp"

namespace hardwood {

namespace {

// The values present at the node on either side of a cut, and the threshold between them.
void set_threshold(const RankedNode& node, Split& split) {
  if (split.cuts.empty()) return;
  const EncodedColumn& column = node.problem.table->columns[split.column];
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
      split.cost = with_criterion(totals.criterion, [&]<Criterion K>() {
        return phi<K>(left.data(), totals.classes) + phi<K>(right.data(), totals.classes);
      });
      const auto weight_of = [&](int c) { return left_of(i, c); };
      if (!totals.admissible(weight_of, split.cost)) continue;
      split.column = column;
      split.rank = groups.code[i - 1];
      split.missing_branch = groups.any_missing ? side : -1;
      split.set_cut(groups.code[i - 1], groups.code[i - 1], i < groups.count ? groups.code[i] : none);
      totals.set_weights(split, weight_of);
      out.push_back(std::move(ranked));
    }
  }
}

void keep_first(std::vector<RankedSplit>& splits, std::size_t most) {
  const auto earlier = [](const RankedSplit& a, const RankedSplit& b) { return precedes(a.split, b.split); };
  std::sort(splits.begin(), splits.end(), earlier);
  if (splits.size() > most) splits.resize(most);
}

template <class Cell>
class Ranking {
 public:
  Ranking(const RankedNode& node, const GrowthRules& rules, Pool& pool)
      : node_(node), table_(*node.problem.table), workspace_(node.problem), totals_(totals_of(node, rules)),
        rows_(node.rows), pool_(pool) {
    workspace_.scratch.resize(rows_.size());
    cells_ = workspace_.builder.build(node.node, {rows_.data(), workspace_.scratch.data()}, pool);
  }

  std::vector<RankedSplit> run(std::size_t most, bool all) {
    NodeView<Cell> view{
        node_.problem, workspace_.builder.layout(), node_.node, rows_.data(), cells_.get(), totals_, {}};
    for (int channel : workspace_.builder.channels(node_.node))
      view.channel_offset.push_back(channel * workspace_.builder.layout().total);
    const std::size_t lanes = table_.lanes.size();
    pool_.parallel_for(lanes + 1, [&](std::size_t l) {
      auto search = workspace_.searches.take();
      std::vector<RankedSplit> own;
      const auto whole = [&](std::uint32_t c, const Groups& groups) {
        if (all && table_.columns[c].kind != ColumnKind::category) return add_cuts(totals_, c, groups, own);
        search->begin();
        search->try_column(view, c, groups);
        keep(*search, own);
      };
      if (l == lanes) search->visit_entries(view, whole);
      else if (all) search->visit_lane(view, static_cast<std::uint32_t>(l), whole);
      else best_of_lane(view, static_cast<std::uint32_t>(l), *search, own);
      keep_first(own, most);
      std::lock_guard lock(mutex_);
      for (RankedSplit& each : own) found_.push_back(std::move(each));
      workspace_.searches.give_back(std::move(search));
    });
    keep_first(found_, most);
    for (RankedSplit& each : found_) {
      set_threshold(node_, each.split);
      each.split.set_default_branch();
    }
    return std::move(found_);
  }

 private:
  void keep(NodeSearch<Cell>& search, std::vector<RankedSplit>& out) {
    if (search.best().found()) out.push_back({search.best(), search.exact()});
  }

  void best_of_lane(const NodeView<Cell>& view, std::uint32_t lane, NodeSearch<Cell>& search,
                    std::vector<RankedSplit>& out) {
    std::vector<char> only(table_.columns.size(), 0);
    for (std::uint32_t c : table_.lanes[lane].columns) {
      only[c] = 1;
      search.begin();
      search.try_lane(view, lane, &only);
      search.open_buckets(view, &pool_);
      keep(search, out);
      only[c] = 0;
    }
  }

  const RankedNode& node_;
  const EncodedTable& table_;
  Workspace<Cell> workspace_;
  NodeTotals totals_;
  std::vector<std::uint32_t> rows_;
  Pool& pool_;
  typename HistogramBuilder<Cell>::Buffer cells_;
  std::mutex mutex_;
  std::vector<RankedSplit> found_;
};

}  // namespace

NodeTotals totals_of(const RankedNode& node, const GrowthRules& rules) {
  struct Plain : Leaf {};
  LeafRules leaf_rules(rules);
  Plain root, leaf;
  root.totals.weight = node.root_weight;
  leaf_rules.set_root(root);
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
  return leaf.totals;
}

std::vector<RankedSplit> ranked_splits(const RankedNode& node, const GrowthRules& rules, std::size_t most,
                                       bool all, Pool& pool) {
  if (node.node.classes.size() < 2) return {};
  if (node.problem.weights) return Ranking<std::int64_t>(node, rules, pool).run(most, all);
  return Ranking<std::uint32_t>(node, rules, pool).run(most, all);
}

}  // namespace hardwood
