// The branch that a single row takes at a single split, read straight from the caller's columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/input.hpp"
#include "pruning/unseen_routes.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

class RowTurns {
 public:
  // All of them must outlive this; unseen routes may change.
  RowTurns(const TreeView& tree, const std::vector<UnseenRoutes>& unseen_routes,
           std::span<const ColumnInput> inputs)
      : tree_(tree), unseen_routes_(unseen_routes), inputs_(inputs) {}

  Turn turn(std::int32_t split, std::size_t row) const;

 private:
  Turn number_turn(std::int32_t split, double x) const;
  Turn integer_turn(std::int32_t split, const ColumnInput& in, std::size_t row) const;

  TreeView tree_;
  const std::vector<UnseenRoutes>& unseen_routes_;
  std::span<const ColumnInput> inputs_;
};

}  // namespace hardwood
