#include "predict/predict.hpp"

#include <algorithm>
#include <vector>

#include "predict/router.hpp"
#include "predict/row_blocks.hpp"

namespace hardwood {

void find_leaves(const TreeView& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                 std::int32_t* leaf, Pool& pool) {
  UsedColumns used(inputs);
  const Router router(tree, used);
  for_each_block(used, inputs, rows, pool, [&](ColumnBlock& block, std::size_t from, std::size_t count) {
    router.route(block, count, leaf + from);
  });
}

void combine_shares(const FractionalTree& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                    std::int32_t* leaf, double* out, Pool& pool) {
  UsedColumns used(inputs);
  const Router router(tree.tree, used);
  const std::size_t classes = tree.classes;
  for_each_block(used, inputs, rows, pool, [&](ColumnBlock& block, std::size_t from, std::size_t count) {
    bool missing[block_rows];
    std::vector<Router::Part> pending, leaves;
    router.route(block, count, leaf + from);
    router.find_missing(block, count, missing);
    for (std::size_t i = 0; i < count; ++i) {
      double* to = out + (from + i) * classes;
      if (!missing[i]) {
        const double* shares = tree.shares + leaf[from + i] * classes;
        std::copy(shares, shares + classes, to);
        continue;
      }
      leaf[from + i] = -1;
      router.spread(block, i, tree.share, pending, leaves);
      std::fill(to, to + classes, 0.0);
      for (const Router::Part& at : leaves)
        for (std::size_t c = 0; c < classes; ++c) to[c] += at.part * tree.shares[at.node * classes + c];
    }
  });
}

}  // namespace hardwood
