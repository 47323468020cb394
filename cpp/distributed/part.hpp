// A part while a tree grows: its rows by node, and what it answers about them.
//
// Everything is a sum over rows, in whole numbers, so the answers of parts add up to that of all rows.
// Nodes have numbers that the caller gives; a node's rows stand by class, as data/problem.hpp draws it.
//
// Where boosting learns from pairs (data/pair_table.hpp), a node's rows are pairs, numbered as there, and
// weights are those of pairs. The table stays that of the rows; only the plan has the class as a column.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "data/problem.hpp"
#include "distributed/code_branches.hpp"
#include "distributed/histogram_batch.hpp"
#include "distributed/node_items.hpp"
#include "distributed/opened_keys.hpp"
#include "distributed/part_table.hpp"
#include "distributed/team.hpp"

namespace hardwood {

class Part {
 public:
  // `labels` are class numbers below `classes`; both they and the table's memory stay with the caller.
  Part(PartTable table, const TablePlan& plan, const std::int32_t* labels, int classes);

  // From now on nodes have pairs of a row and one of so many classes. Pairs are of two classes: 1 where theirs
  // is the row's own, else 0.
  void make_pairs(int classes);

  // Weights of the rows, null for 1 each; examples likewise, null when they are not counted apart.
  void set_weights(const std::int64_t* weights, const std::int64_t* examples);

  // All rows of at least this weight become node 0; a row's class is its label or, with a target, whether
  // its label is the target. The others are absent.
  void start(int target, std::int64_t least);

  // Adds what is to be told of the split to the answer; keys are 0 and ~0 where no row has one.
  void split(const NodeSplit& order, SplitAnswer& answer);

  // Channels are the classes, then examples when counted.
  int channels() const { return classes_ + (examples_ ? 1 : 0); }
  const TablePlan& plan() const { return plan_; }
  const PartTable& table() const { return table_; }
  std::vector<std::int64_t> totals(std::int32_t node) const;
  // Class weights by code of all columns: cells as part_table.hpp has them.
  HistogramBatch histograms(const std::vector<std::int32_t>& nodes) const;
  std::vector<KeySums> open(std::int32_t node, std::span<const KeyQuestion> questions) const;
  NodeItems items(std::int32_t number) const { return {node(number), rows_.data(), weights_, examples_, true}; }

  std::size_t rows() const { return table_.rows; }
  // Pairs of each row; 1 where nodes have rows.
  std::uint32_t pairs() const { return stored_.pairs; }
  const std::vector<std::uint32_t>& row_list() const { return rows_; }
  const NodeRows& node(std::int32_t number) const;
  std::vector<std::uint32_t>& absent() { return absent_; }
  const NodeRows& absent_root() const { return absent_root_; }
  // Reorders list[node.begin, node.end) by branch; notes the keys beside a bucketed column's cut.
  std::vector<NodeRows> divide(const NodeRows& node, const Split& split, std::vector<std::uint32_t>& list,
                               KeysBesideCut& beside);
  std::int64_t weight(std::uint32_t row) const { return weights_ ? weights_[row] : 1; }
  int label_of(std::uint32_t row) const {
    if (paired()) return labels_[stored_(row)] == static_cast<std::int32_t>(stored_.class_of(row)) ? 1 : 0;
    return target_ < 0 ? labels_[row] : labels_[row] == target_ ? 1 : 0;
  }
  int label_count() const { return classes_; }

 private:
  bool paired() const { return stored_.pairs > 1; }
  template <class Cell>
  void fill(const NodeItems& items, std::vector<std::int64_t>& out) const;
  template <class Cell>
  void add_rows(const NodeItems& items, std::vector<Cell>& cells, const std::vector<std::size_t>& offset,
                std::size_t total) const;
  void fill_pairs(const NodeRows& node, std::vector<std::int64_t>& out) const;
  template <class BranchOf>
  std::vector<NodeRows> move(const NodeRows& node, std::int32_t arity, std::vector<std::uint32_t>& list,
                             BranchOf branch_of);
  template <class BranchOf>
  std::vector<NodeRows> move_in_two(const NodeRows& node, std::vector<std::uint32_t>& list, BranchOf branch_of);

  PartTable table_;
  TablePlan plan_;
  StoredRow stored_;
  const std::int32_t* labels_;
  int all_classes_, classes_;
  int target_ = -1;
  const std::int64_t* weights_ = nullptr;
  const std::int64_t* examples_ = nullptr;
  std::vector<std::uint32_t> rows_, scratch_, absent_;
  std::vector<std::int32_t> branch_;  // of the rows being divided
  NodeRows absent_root_;
  std::map<std::int32_t, NodeRows> nodes_;
};

}  // namespace hardwood
