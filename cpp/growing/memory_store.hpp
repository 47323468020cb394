// Rows in memory: a leaf owns a range of an array of row numbers (data/problem.hpp has the drawing) and, while
// it is worth it, its histogram. The larger of two children gets its histogram by subtraction.
#pragma once

#include <memory>
#include <vector>

#include "growing/growth_rules.hpp"
#include "growing/memory_search.hpp"
#include "growing/threaded_store.hpp"

namespace hardwood {

// Cell is that of the workspace's histograms.
template <class Cell>
class MemoryStore : public ThreadedStore {
 public:
  // `rows` are the rows of positive weight, by class, as `root` describes them; they are reordered so that
  // every leaf's rows stand together.
  MemoryStore(Workspace<Cell>& workspace, const GrowthRules& rules, const NodeRows& root,
              std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll);

  LeafPtr root(bool search) override;
  // A leaf of a larger tree, known there by its totals and rules, and its rows among those of this store; its
  // best split is sought. Throws where the rows do not have the leaf's class weights.
  LeafPtr adopt(const Leaf& known, NodeRows rows, double root_weight);
  Split multiway(Leaf& leaf, const MultiwayOffer& offer) override;
  void joined(const Leaf& leaf) override;
  void finish(Growth& growth, std::span<Leaf* const> frontier) override;
  Threshold threshold(std::uint32_t column, std::uint64_t below, std::uint64_t above) const override;
  ColumnKind kind(std::uint32_t column) const override { return problem_.table->columns[column].kind; }

  // Each node's range of the rows, once the tree is grown.
  std::vector<NodeRows> take_node_rows() { return std::move(node_rows_); }

 protected:
  void decide(Leaf& leaf, double least_drop) override;
  void expand_one(Leaf& leaf, bool more_to_come, double least_drop) override;

 private:
  using OwnLeaf = MemoryLeaf<Cell>;
  static OwnLeaf& cast(Leaf& leaf) { return static_cast<OwnLeaf&>(leaf); }

  std::unique_ptr<OwnLeaf> make_leaf(NodeRows rows, const RowArrays& arrays, std::vector<double> weights,
                                     std::int32_t depth) const;
  std::vector<double> class_weights(const NodeRows& node) const;  // of the classes present
  void give_histograms(OwnLeaf& parent, const std::vector<char>& needs, std::size_t largest);
  void search_children(OwnLeaf& parent, const std::vector<char>& needs, std::size_t largest, double least_drop);
  void give_back(OwnLeaf& leaf);
  bool by_histograms() const { return search_.by_histograms(); }

  Workspace<Cell>& workspace_;
  HistogramBuilder<Cell>& builder_;
  const Problem& problem_;
  LeafRules leaf_rules_;
  MemorySearch<Cell> search_;
  NodeRows root_;
  std::vector<std::uint32_t>& rows_;
  RowArrays arrays_;  // as the root sees them
  std::vector<NodeRows> node_rows_;
  std::vector<char> moved_;  // per node: its rows are not in rows_ yet
};

extern template class MemoryStore<std::uint32_t>;
extern template class MemoryStore<std::int64_t>;

}  // namespace hardwood
