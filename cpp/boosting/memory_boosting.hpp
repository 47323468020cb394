// The factors of rows in memory. The rows may be kept in decreasing order of weight, so that the pruned search
// finds the heavy ones side by side.
#pragma once

#include <optional>
#include <vector>

#include "boosting/row_factors.hpp"
#include "data/problem.hpp"
#include "growing/workspace.hpp"

namespace hardwood {

struct GivenWeights : RowWeights {
  const std::int64_t* examples = nullptr;  // null: not counted apart from the weights
};

class MemoryBoosting : public BoostingStore {
 public:
  MemoryBoosting(const EncodedTable& table, std::vector<std::int32_t> labels, int classes, Criterion criterion,
                 GivenWeights given, bool logistic, std::uint32_t pair_classes = 0);

  FactorTotals totals() override;
  bool whole() const override { return given_.whole; }
  double exact_total() override;
  void scale(double by) override;
  void begin_round(int exponent, Trimming trimming, Pool& pool) override;
  double weight() const override { return static_cast<double>(weight_total_); }
  double seen_weight() const override { return static_cast<double>(chosen_.weight); }
  Growth grow(GrowthRules rules, Search search, Pool& pool, const Poll& poll) override;
  std::size_t columns() const override { return given_table_.columns.size(); }
  std::uint32_t few_values(std::size_t column) const override {
    const EncodedColumn& own = given_table_.columns[column];
    return own.kind == ColumnKind::category || own.values < 2 ? 1 : own.values;
  }
  std::vector<std::int64_t> route_unseen(Growth& growth) override;
  void multiply(Growth& growth, const std::vector<LeafFactors>& by_node, bool more, Pool& pool) override;
  // Where rows are pairs: what reached the leaves, example by example.
  void complete(Growth& growth) override;
  // By a tree that sends row i to leaf[i].
  void multiply(const std::int32_t* leaf, const std::vector<LeafFactors>& by_node);

 private:
  struct LeafRows {
    std::int32_t node;
    NodeRows rows;
  };
  // The rows that a tree sees and those it does not, by class.
  struct Chosen {
    std::vector<std::uint32_t> rows, absent;
    NodeRows root, absent_root;
    std::int64_t weight = 0;
  };

  // The least weight that a tree sees, and the last row of just that weight.
  struct Lightest {
    std::int64_t weight = 1;
    std::size_t last = std::numeric_limits<std::size_t>::max();
  };

  void round_weights(int exponent, Pool& pool);
  bool pruning_pays(Pool& pool);
  void note_pruning(const Growth& growth, const std::vector<char>* allowed);
  void sort_rows(Pool& pool);
  void list_by_class();
  Lightest lightest_seen() const;
  void choose_rows(Pool& pool);
  // Calls body(leaf, rows of the leaf, the list they stand in), seen rows first.
  template <class Body>
  void for_each_leaf(const Tree& tree, Body&& body) const;
  // Rows whose factors are multiplied by the same number.
  struct AlikeRows {
    const std::uint32_t *begin, *end;
    double by;
  };
  std::vector<AlikeRows> alike_rows(const Tree& tree, const std::vector<LeafFactors>& by_node) const;

  const EncodedTable& given_table_;
  EncodedTable table_;                   // the rows in this store's own order, once that is not the given one
  std::vector<std::uint32_t> original_;  // the given number of each row; empty: the given order
  int rounds_since_sorting_ = 0;
  int rounds_without_pruning_ = 0;  // still to come, after a round in which it did not pay
  int next_rest_;                   // rounds without it, after the next such round
  std::vector<std::int32_t> labels_;
  GivenWeights given_;  // points into own_weights_ and own_examples_ once rows are sorted
  std::vector<double> own_weights_;
  std::vector<std::int64_t> own_examples_;
  bool logistic_;
  std::uint32_t pair_classes_;  // rows are pairs of an example and one of so many classes; 0: they are not
  std::optional<FactorTotals> totals_;  // while the factors are what they were
  std::vector<double> factor_;
  std::vector<std::int64_t> weights_;  // this round's whole numbers
  std::int64_t weight_total_ = 0, lightest_ = 0;
  std::vector<std::uint32_t> by_class_;  // all rows
  NodeRows all_;
  Trimming trimming_;
  Chosen chosen_;
  std::vector<NodeRows> node_rows_;      // of the tree that was grown last
  std::vector<LeafRows> unseen_leaves_;  // where the rows went that it did not see
  Problem problem_;
  BucketOrder order_;
  Workspace<std::int64_t> workspace_;
};

}  // namespace hardwood
