// Exact Shapley values of trees' scores, columns being the players.
//
// The game of a row x: v(S) is the score expected when only the columns of S are known. A node that asks
// about one of them sends x down its branch; any other node sends a share weight(child)/weight(node) down
// each branch. For a leaf whose path asks about the columns P,
//
//     v(S) = value * prod_{j in P and S} o_j * prod_{j in P, not in S} z_j,
//
// o_j being 1 when x meets all the path's conditions on column j, z_j the product of their shares. The
// Shapley weight of a set is an integral, |S|!(d-|S|-1)!/d! = int_0^1 t^|S| (1-t)^(d-|S|-1) dt, d = |P|, so
//
//     phi_j = value * (o_j - z_j) * int_0^1 prod_{i in P, i != j} (o_i t + z_i (1-t)) dt.
//
// The integrand has degree d - 1: Gauss-Legendre with ceil(d/2) points is exact, every term is positive, and
// nothing cancels. A walk over the tree carries the products down and the leaves' sums up, where each edge
// takes its column's part: O(edges * points) per row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/input.hpp"
#include "tree/tree_view.hpp"

namespace hardwood {

// value[node] of the leaves is a score of one output.
struct LeafScores {
  std::int32_t output;
  const double* value;
};

struct ExplainedTree {
  TreeView tree;
  const double* weight;  // of the nodes
  std::vector<LeafScores> scores;
};

// phi[(i * inputs.size() + column) * outputs + output], zero at the start. Columns that no tree uses are not
// read; an infinite value in one that is used is an InfiniteValue. The same bits for any number of threads
// and whatever the other rows are.
void add_shap(std::span<const ExplainedTree> trees, std::span<const ColumnInput> inputs, std::size_t rows,
              std::size_t outputs, double* phi, Pool& pool, const Poll& poll);

}  // namespace hardwood
