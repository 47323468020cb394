// What earlier rounds of boosting knew of the order of two classes inside the buckets
// (docs/theory/rules.md#remembered-order).
//
// The *unevenness* of a bucket is the most that the shares of the two classes' weights below a cut inside it
// differ. Where it is small, a cut can do little more than the bucket's ends. It is looked at once, for all
// columns; after that it can have grown by no more than the weights' shares have moved since, and at a node by
// no more than the shares of the bucket's rows that the node has not.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "base/pool.hpp"
#include "search/node_view.hpp"

namespace hardwood {

class BucketOrder {
 public:
  using View = NodeView<std::int64_t>;

  // At the root of a tree, once its rows are summed: bounds the unevenness of all buckets for this tree.
  void begin_tree(const View& root, Pool& pool);
  // No tree follows that is known to be of the same rows in the same order.
  void forget() { reference_.clear(); }

  // No cut inside the bucket of the column costs less. `before`: the classes' weights in the buckets before it.
  double bound(const View& node, std::uint32_t column, std::uint32_t bucket, const double* before) const;

  // Rows in opened buckets, over the columns of a node.
  void count_opened(const View& node, std::uint64_t rows) {
    if (node.node.size() == root_rows_) opened_ += rows;
  }
  // A column of a node: the part of the node's weight that lies in the buckets that were opened.
  void note_part(const View& node, double part) {
    parts_ += static_cast<std::uint64_t>(part * node.node.size());
  }
  // Since it was asked last: these parts times the rows of their nodes.
  std::uint64_t take_parts() { return parts_.exchange(0); }

 private:
  using Classes = std::array<double, 2>;
  struct Bucket {
    Classes root{};       // weight at the root of this tree
    Classes reference{};  // weight when the order was looked at
    double seen = 1;      // unevenness when the order was looked at
    double now = 1;       // at most, at the root of this tree
  };

  // Whether the tree may split on the column, so that it has been summed.
  bool has_cells(const View& root, std::size_t i) const {
    return root.layout.has(root.problem.table->columns[columns_[i]].lane);
  }
  void set_up(const View& root);
  void look(const View& root, Pool& pool);
  void compare(const View& root, Pool& pool);
  double list_restless(const View& root, int k, double ratio, double calm, Pool& pool);
  Bucket& at(std::size_t column, std::uint32_t bucket) { return buckets_[column * lane_codes + bucket]; }

  std::vector<std::uint32_t> columns_;  // those in buckets
  std::vector<std::uint32_t> place_;    // of each column of the table among them
  std::vector<Bucket> buckets_;
  // Of the root's rows, in the order that all trees have: weights when the order was looked at. Empty: it was
  // not.
  std::vector<float> reference_;
  Classes reference_weight_{};
  Classes usual_{};  // mean relative change of a weight, in the round before
  std::vector<std::uint32_t> restless_;
  std::vector<double> change_;  // of the restless rows
  std::uint32_t root_rows_ = 0;
  int trees_since_ = 0, patience_ = 0;
  std::atomic<std::uint64_t> opened_{0};  // since the order was looked at, at roots
  std::atomic<std::uint64_t> parts_{0};
};

}  // namespace hardwood
