#include "distributed/part.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/portable.hpp"
#include "data/pair_table.hpp"

namespace hardwood {

Part::Part(PartTable table, const TablePlan& plan, const std::int32_t* labels, int classes)
    : table_(std::move(table)), plan_(plan), labels_(labels), all_classes_(classes), classes_(classes) {}

void Part::make_pairs(int classes) {
  if (stored_.pairs == static_cast<std::uint32_t>(classes)) return;
  if (paired()) throw std::invalid_argument("a part has the pairs of one number of classes");
  check_pairs(table_.rows, classes);
  stored_ = StoredRow::of_pairs(static_cast<std::uint32_t>(classes));
  plan_ = with_class_column(std::move(plan_), classes);
}

void Part::set_weights(const std::int64_t* weights, const std::int64_t* examples) {
  weights_ = weights;
  examples_ = examples;
}

void Part::start(int target, std::int64_t least) {
  target_ = target;
  classes_ = target < 0 && !paired() ? all_classes_ : 2;
  const auto n = static_cast<std::uint32_t>(table_.rows * stored_.pairs);
  std::vector<std::uint32_t> seen(classes_ + 1, 0), unseen(classes_ + 1, 0);
  for (std::uint32_t i = 0; i < n; ++i) ++(weight(i) >= least ? seen : unseen)[label_of(i) + 1];
  const auto lay_out = [&](std::vector<std::uint32_t>& next) {
    std::partial_sum(next.begin(), next.end(), next.begin());
    NodeRows root;
    root.end = next[classes_];
    for (int c = 0; c < classes_; ++c)
      if (next[c + 1] > next[c]) root.classes.push_back({c, next[c], next[c + 1]});
    return root;
  };
  nodes_.clear();
  nodes_[0] = lay_out(seen);
  absent_root_ = lay_out(unseen);
  rows_.resize(nodes_[0].end);
  absent_.resize(absent_root_.end);
  for (std::uint32_t i = 0; i < n; ++i) {
    const int label = label_of(i);
    if (weight(i) >= least) rows_[seen[label]++] = i;
    else absent_[unseen[label]++] = i;
  }
}

const NodeRows& Part::node(std::int32_t number) const {
  const auto at = nodes_.find(number);
  if (at == nodes_.end()) throw std::invalid_argument("a node that this part does not have");
  return at->second;
}

std::vector<std::int64_t> Part::totals(std::int32_t number) const {
  std::vector<std::int64_t> out(channels(), 0);
  const NodeRows& at = node(number);
  for (const ClassRows& piece : at.classes)
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      out[piece.label] += weight(rows_[i]);
      if (examples_) out[classes_] += examples_[rows_[i]];
    }
  return out;
}

// As `move`, of two branches, in one pass: rows of the first are moved up, those of the second follow.
template <class BranchOf>
std::vector<NodeRows> Part::move_in_two(const NodeRows& node, std::vector<std::uint32_t>& list,
                                        BranchOf branch_of) {
  if (scratch_.size() < node.size()) scratch_.resize(node.size());
  std::vector<NodeRows> out(2);
  std::uint32_t first = node.begin, second = 0;
  for (const ClassRows& own : node.classes) {
    const std::uint32_t first_begin = first, second_begin = second;
    for (std::uint32_t i = own.begin; i < own.end; ++i) {
      const std::uint32_t row = list[i];
      const std::uint32_t branch = branch_of(row, list[std::min(i + ahead, node.end - 1)]) != 0;
      list[first] = row;
      scratch_[second] = row;
      first += 1 - branch;
      second += branch;
    }
    if (first > first_begin) out[0].classes.push_back({own.label, first_begin, first});
    if (second > second_begin) out[1].classes.push_back({own.label, second_begin, second});
  }
  std::copy(scratch_.begin(), scratch_.begin() + second, list.begin() + first);
  for (ClassRows& own : out[1].classes) own.begin += first, own.end += first;
  out[0].begin = node.begin;
  out[0].end = out[1].begin = first;
  out[1].end = node.end;
  return out;
}

// The rows of each branch one after the other, by class; their order within is kept.
template <class BranchOf>
std::vector<NodeRows> Part::move(const NodeRows& node, std::int32_t arity, std::vector<std::uint32_t>& list,
                                 BranchOf branch_of) {
  if (arity == 2) return move_in_two(node, list, branch_of);
  if (branch_.size() < node.size()) branch_.resize(node.size());
  if (scratch_.size() < node.size()) scratch_.resize(node.size());
  std::vector<std::vector<std::uint32_t>> sizes(node.classes.size(), std::vector<std::uint32_t>(arity, 0));
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i) {
      const std::int32_t branch = branch_of(list[i], list[std::min(i + ahead, node.end - 1)]);
      branch_[i - node.begin] = branch;
      ++sizes[k][branch];
    }
  std::vector<NodeRows> out(arity);
  std::uint32_t at = node.begin;
  for (std::int32_t b = 0; b < arity; ++b) {
    out[b].begin = at;
    for (std::size_t k = 0; k < node.classes.size(); ++k) {
      const std::uint32_t begin = at;
      at += sizes[k][b];
      if (at > begin) out[b].classes.push_back({node.classes[k].label, begin, at});
      sizes[k][b] = begin;
    }
    out[b].end = at;
  }
  std::copy(list.begin() + node.begin, list.begin() + node.end, scratch_.begin());
  for (std::size_t k = 0; k < node.classes.size(); ++k)
    for (std::uint32_t i = node.classes[k].begin; i < node.classes[k].end; ++i)
      list[sizes[k][branch_[i - node.begin]]++] = scratch_[i - node.begin];
  return out;
}

std::vector<NodeRows> Part::divide(const NodeRows& node, const Split& split, std::vector<std::uint32_t>& list,
                                   KeysBesideCut& beside) {
  const auto moved = [&](auto branch_of) { return move(node, split.arity, list, branch_of); };
  const std::int32_t missing = split.route_of_missing();
  if (!paired()) return with_branches(table_, plan_, split, missing, beside, moved);
  if (split.column + 1 == plan_.columns.size()) {
    const CodeBranches branches(plan_.columns.back(), split, missing);
    return moved([&](std::uint32_t pair, std::uint32_t) { return branches.of_code[stored_.class_of(pair)]; });
  }
  return with_branches(table_, plan_, split, missing, beside, [&](auto branch_of) {
    return moved(
        [&](std::uint32_t pair, std::uint32_t later) { return branch_of(stored_(pair), stored_(later)); });
  });
}

std::vector<KeySums> Part::open(std::int32_t number, std::span<const KeyQuestion> questions) const {
  if (!paired()) return open_keys(table_, plan_, items(number), channels(), questions);
  const MergedPairs merged = merge_pairs(node(number), rows_.data(), stored_, weights_, examples_);
  return open_keys(table_, plan_, items_of(merged), channels(), questions);
}

void Part::split(const NodeSplit& order, SplitAnswer& answer) {
  check_split(order.split, plan_);
  if (order.children.size() != static_cast<std::size_t>(order.split.arity))
    throw std::invalid_argument("one child per branch is needed");
  KeysBesideCut beside;
  const std::vector<NodeRows> branches = divide(node(order.node), order.split, rows_, beside);
  nodes_.erase(order.node);
  for (std::size_t b = 0; b < branches.size(); ++b) {
    answer.rows.push_back(branches[b].size());
    std::int64_t examples = 0;
    if (examples_)
      for (std::uint32_t i = branches[b].begin; i < branches[b].end; ++i) examples += examples_[rows_[i]];
    answer.examples.push_back(examples);
    nodes_[order.children[b]] = branches[b];
  }
  answer.below.push_back(beside.below);
  answer.above.push_back(beside.above);
}

}  // namespace hardwood
