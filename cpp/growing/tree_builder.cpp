#include "growing/tree_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace hardwood {

double midpoint(double low, double high) {
  const double sum = low + high;
  const double middle = std::isfinite(sum) ? sum / 2 : low / 2 + high / 2;
  return middle < high ? middle : low;
}

std::int32_t TreeBuilder::add_leaf(std::int32_t parent, std::int32_t depth, const NodeRows& rows,
                                   const NodeTotals& totals) {
  const auto node = static_cast<std::int32_t>(tree_.size());
  tree_.parent.push_back(parent);
  tree_.first_child.push_back(-1);
  tree_.branches.push_back(0);
  tree_.feature.push_back(-1);
  tree_.kind.push_back(leaf_node);
  tree_.cut_begin.push_back(0);
  tree_.cut_count.push_back(0);
  tree_.group_begin.push_back(0);
  tree_.group_count.push_back(0);
  tree_.missing_branch.push_back(-1);
  tree_.missing_seen.push_back(0);
  tree_.default_branch.push_back(-1);
  tree_.depth.push_back(depth);
  tree_.rows.push_back(rows.size());
  tree_.cost.push_back(totals.cost);
  tree_.class_weights.resize(tree_.class_weights.size() + tree_.classes, 0.0);
  double* weights = tree_.class_weights.data() + tree_.class_weights.size() - tree_.classes;
  for (std::size_t k = 0; k < rows.classes.size(); ++k) weights[rows.classes[k].label] = totals.total[k];
  return node;
}

void TreeBuilder::begin_cuts(std::int32_t node) {
  tree_.cut_begin[node] = static_cast<std::int64_t>(tree_.thresholds.size());
}

// Between two adjacent codes present at the node.
void TreeBuilder::add_cut(std::int32_t node, const EncodedColumn& column, std::uint32_t low_code,
                          std::uint32_t high_code) {
  ++tree_.cut_count[node];
  if (column.kind == ColumnKind::numeric) {
    tree_.thresholds.push_back(midpoint(column.codebook[low_code], column.codebook[high_code]));
    tree_.integer_thresholds.push_back(0);
    return;
  }
  const std::uint64_t low = column.wide_codebook[low_code], high = column.wide_codebook[high_code];
  tree_.thresholds.push_back(std::numeric_limits<double>::quiet_NaN());
  tree_.integer_thresholds.push_back(std::bit_cast<std::int64_t>(low + (high - low) / 2));
}

void TreeBuilder::add_groups(std::int32_t node, const Candidate& split) {
  tree_.group_begin[node] = static_cast<std::int64_t>(tree_.group_codes.size());
  std::vector<std::pair<std::uint32_t, std::int32_t>> all;
  for (std::uint32_t code : split.left_codes) all.emplace_back(code, 0);
  for (std::uint32_t code : split.right_codes) all.emplace_back(code, 1);
  std::sort(all.begin(), all.end());
  for (const auto& [code, branch] : all) {
    tree_.group_codes.push_back(static_cast<std::int32_t>(code));
    tree_.group_branches.push_back(branch);
  }
  tree_.group_count[node] = static_cast<std::int32_t>(all.size());
}

void TreeBuilder::split(std::int32_t node, const Candidate& split, const Division& division,
                        const NodeTotals& totals) {
  const EncodedColumn& column = problem_.table->columns[split.column];
  double left = 0;
  for (double weight : split.left_weights) left += weight;
  const std::int32_t heaviest = totals.weight - left > left ? 1 : 0;
  tree_.first_child[node] = static_cast<std::int32_t>(tree_.size());
  tree_.branches[node] = 2;
  tree_.feature[node] = static_cast<std::int32_t>(split.column);
  tree_.default_branch[node] = heaviest;
  tree_.missing_seen[node] = split.missing_seen ? 1 : 0;
  tree_.missing_branch[node] = split.missing_seen ? (split.missing_right ? 1 : 0) : heaviest;
  if (column.kind == ColumnKind::category) {
    tree_.kind[node] = group_node;
    add_groups(node, split);
  } else {
    tree_.kind[node] = interval_node;
    if (division.right_code == none) return;  // missing against the rest: no cut
    begin_cuts(node);
    add_cut(node, column, division.left_code, division.right_code);
  }
}

void TreeBuilder::split(std::int32_t node, const Branching& split) {
  const EncodedColumn& column = problem_.table->columns[split.column];
  const std::size_t classes = split.weights.size() / split.arity;
  std::int32_t heaviest = 0;
  double most = -1;
  for (std::int32_t b = 0; b < split.arity; ++b) {
    double weight = 0;
    for (std::size_t c = 0; c < classes; ++c) weight += split.weights[b * classes + c];
    if (weight > most) most = weight, heaviest = b;
  }
  tree_.first_child[node] = static_cast<std::int32_t>(tree_.size());
  tree_.branches[node] = split.arity;
  tree_.feature[node] = static_cast<std::int32_t>(split.column);
  tree_.default_branch[node] = heaviest;
  tree_.missing_seen[node] = split.missing_branch >= 0 ? 1 : 0;
  tree_.missing_branch[node] = split.missing_branch >= 0 ? split.missing_branch : heaviest;
  if (column.kind == ColumnKind::category) {
    tree_.kind[node] = group_node;
    tree_.group_begin[node] = static_cast<std::int64_t>(tree_.group_codes.size());
    tree_.group_codes.insert(tree_.group_codes.end(), split.codes.begin(), split.codes.end());
    tree_.group_branches.insert(tree_.group_branches.end(), split.branch_of.begin(), split.branch_of.end());
    tree_.group_count[node] = static_cast<std::int32_t>(split.codes.size());
  } else {
    tree_.kind[node] = interval_node;
    begin_cuts(node);
    for (std::size_t i = 0; i < split.lower.size(); ++i) add_cut(node, column, split.lower[i], split.upper[i]);
  }
}

void TreeBuilder::add_cuts(std::int32_t node, const EncodedColumn& column, const FractionalDivision& division) {
  begin_cuts(node);
  for (std::size_t j = 0; j + 1 < division.branches.size(); ++j)
    add_cut(node, column, division.largest[j], division.smallest[j + 1]);
}

void TreeBuilder::split(std::int32_t node, const FractionalSplit& split, const FractionalDivision& division) {
  const EncodedColumn& column = problem_.table->columns[split.column];
  tree_.first_child[node] = static_cast<std::int32_t>(tree_.size());
  tree_.branches[node] = split.arity;
  tree_.feature[node] = static_cast<std::int32_t>(split.column);
  tree_.default_branch[node] = tree_.missing_branch[node] = division.heaviest;
  tree_.missing_seen[node] = division.missing_seen ? 1 : 0;
  if (column.kind != ColumnKind::category) {
    tree_.kind[node] = interval_node;
    return add_cuts(node, column, division);
  }
  tree_.kind[node] = group_node;
  tree_.group_begin[node] = static_cast<std::int64_t>(tree_.group_codes.size());
  tree_.group_count[node] = static_cast<std::int32_t>(split.codes.size());
  for (std::uint32_t code : split.codes) tree_.group_codes.push_back(static_cast<std::int32_t>(code));
  tree_.group_branches.insert(tree_.group_branches.end(), split.branch_of.begin(), split.branch_of.end());
}

}  // namespace hardwood
