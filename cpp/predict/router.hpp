// One tree, ready to send blocks of rows down.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/column_blocks.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

class Router {
 public:
  // `tree` must outlive the router; its columns get slots in `used`.
  Router(const TreeView& tree, UsedColumns& used);

  // leaf[i] for the first `count` rows of the block; an infinite value that decides a row's way is an
  // InfiniteValue.
  void route(const ColumnBlock& block, std::size_t count, std::int32_t* leaf) const;

  // out[i]: the branch that row first + i of the block takes at an inner node, wherever the row really goes.
  void branches(std::int32_t node, const ColumnBlock& block, std::size_t first, std::size_t count,
                std::int32_t* out) const;
  // A leaf, or a node to go on from, with the part of a row that comes there.
  struct Part {
    std::int32_t node;
    double part;
  };

  // Whether the first `count` rows of the block miss a value that some node asks for.
  void find_missing(const ColumnBlock& block, std::size_t count, bool* missing) const;

  // Every leaf that row i reaches, left to right, when a missing value goes down all branches, to node n with
  // the share share[n]; a leaf's part is the product of the shares on its path.
  void spread(const ColumnBlock& block, std::size_t i, const double* share, std::vector<Part>& pending,
              std::vector<Part>& leaves) const;

 private:
  enum class Step : std::uint8_t { stop, cut, cuts, integer_cuts, groups };

  // What routing needs of a node, together. A leaf leads back to itself.
  struct Node {
    double threshold;
    std::int32_t first_child;
    std::int32_t slot;  // of the column among those used
    std::int32_t missing_branch;
    Step step;
  };

  static std::int32_t cut_branch(const Node& at, double x);
  void route_side_by_side(const ColumnBlock& block, std::size_t count, std::int32_t* leaf) const;
  void route_one_by_one(const ColumnBlock& block, std::size_t first, std::size_t count,
                        std::int32_t* leaf) const;
  std::int32_t branch(std::int32_t node, const Node& at, const ColumnBlock& block, std::size_t i) const;
  static bool is_missing(const ColumnInput& in, const ColumnBlock& block, std::int32_t slot, std::size_t i);
  std::int32_t integer_branch(std::int32_t node, const ColumnInput& in, std::size_t row) const;
  std::int32_t group_branch(std::int32_t node, double code) const;

  TreeView tree_;
  std::vector<Node> nodes_;
  bool only_cuts_ = true;  // every inner node is a single cut of a numeric column
};

}  // namespace hardwood
