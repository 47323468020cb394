#include "distributed/finished_tree.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "data/keys.hpp"
#include "data/load.hpp"

namespace hardwood {

namespace {

std::uint64_t cut_of(const ColumnPlan& column, const Threshold& threshold) {
  const std::optional<std::uint64_t> cut = cut_at(column, threshold);
  if (!cut) throw std::invalid_argument("the tree does not fit these codebooks");
  return *cut;
}

}  // namespace

std::optional<std::uint64_t> cut_at(const ColumnPlan& column, const Threshold& threshold) {
  const std::uint64_t key = column.kind == ColumnKind::numeric
                                ? key_of(threshold.value)
                                : std::bit_cast<std::uint64_t>(threshold.integer) ^ key_flip(column.kind);
  if (column.bucketed()) return key;
  const auto above = std::upper_bound(column.keys.begin(), column.keys.end(), key);
  if (above == column.keys.begin()) return {};
  return static_cast<std::uint64_t>(above - column.keys.begin()) - 1;
}

SplitBatch splits_of_tree(const TreeView& tree, const TablePlan& plan) {
  SplitBatch out;
  for (std::size_t node = 0; node < tree.nodes; ++node) {
    NodeSplit each{static_cast<std::int32_t>(node), {}, {}};
    if (tree.first_child[node] >= 0) {
      Split& split = each.split;
      split.column = static_cast<std::uint32_t>(tree.feature[node]);
      split.arity = tree.branches[node];
      split.missing_branch = tree.missing_branch[node];
      split.default_branch = tree.default_branch[node];
      const std::int64_t cut = tree.cut_begin[node], group = tree.group_begin[node];
      for (std::int64_t i = cut; i < cut + tree.cut_count[node]; ++i)
        split.cuts.push_back(
            cut_of(plan.columns.at(split.column), {tree.thresholds[i], tree.integer_thresholds[i]}));
      split.codes.assign(tree.group_codes + group, tree.group_codes + group + tree.group_count[node]);
      split.branch_of.assign(tree.group_branches + group, tree.group_branches + group + tree.group_count[node]);
      for (std::int32_t b = 0; b < split.arity; ++b) each.children.push_back(tree.first_child[node] + b);
    }
    out.splits.push_back(std::move(each));
  }
  return out;
}

SplitBatch splits_of_pairs(const std::vector<TreeView>& trees, const TablePlan& plan) {
  SplitBatch out;
  NodeSplit root{0, {}, {}};
  root.split.column = static_cast<std::uint32_t>(plan.columns.size()) - 1;
  root.split.arity = static_cast<std::int32_t>(trees.size());
  for (std::size_t c = 0; c + 1 < trees.size(); ++c) root.split.cuts.push_back(c);
  out.splits.push_back(std::move(root));
  for (const TreeView& tree : trees) {
    const auto first = static_cast<std::int32_t>(out.splits.size());
    out.splits[0].children.push_back(first);
    for (NodeSplit& each : splits_of_tree(tree, plan).splits) {
      each.node += first;
      for (std::int32_t& child : each.children) child += first;
      out.splits.push_back(std::move(each));
    }
  }
  return out;
}

std::vector<std::uint64_t> cuts_of_tree(const TreeView& tree, std::size_t count, const TablePlan& plan) {
  std::vector<std::uint64_t> out(count, 0);
  const SplitBatch splits = splits_of_tree(tree, plan);
  for (const NodeSplit& each : splits.splits)
    std::copy(each.split.cuts.begin(), each.split.cuts.end(), out.begin() + tree.cut_begin[each.node]);
  return out;
}

}  // namespace hardwood
