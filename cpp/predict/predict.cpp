#include "predict/predict.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "predict/bit_forest.hpp"
#include "predict/bit_kernels.hpp"
#include "predict/column_blocks.hpp"
#include "predict/router.hpp"

namespace hardwood {

namespace {

// Calls body(block, first row, count) for all blocks of rows, each thread with a block of its own.
void for_each_block(const UsedColumns& used, std::size_t rows, Pool& pool,
                    const std::function<void(ColumnBlock&, std::size_t, std::size_t)>& body) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  const std::size_t tasks = std::min<std::size_t>(8 * pool.size(), blocks);
  pool.parallel_for(tasks, [&](std::size_t task) {
    ColumnBlock block(used);
    const std::size_t end = rows * (task + 1) / tasks;
    for (std::size_t from = rows * task / tasks; from < end; from += block_rows) {
      const std::size_t count = std::min(block_rows, end - from);
      block.load(from, count);
      body(block, from, count);
    }
  });
}

}  // namespace

void find_leaves(const TreeView& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                 std::int32_t* leaf, Pool& pool) {
  UsedColumns used(inputs);
  const Router router(tree, used);
  for_each_block(used, rows, pool, [&](ColumnBlock& block, std::size_t from, std::size_t count) {
    router.route(block, count, leaf + from);
  });
}

void add_scores(std::span<const ScoredTree> trees, std::span<const ColumnInput> inputs, std::size_t rows,
                std::size_t outputs, double* score, Pool& pool) {
  UsedColumns used(inputs);
  std::vector<Router> routers;
  for (const ScoredTree& tree : trees) routers.emplace_back(tree.tree, used);
  std::optional<BitForest> bits;
  if (rows >= bit_rows && BitForest::suits(trees, inputs)) bits.emplace(trees, used);
  for_each_block(used, rows, pool, [&](ColumnBlock& block, std::size_t from, std::size_t count) {
    std::int32_t leaf[block_rows];
    double* to = score + from * outputs;
    std::size_t done = 0;
    if (bits)
      while (done + bit_rows <= count && bits->add(block, done, outputs, to + done * outputs)) done += bit_rows;
    if (done == count) return;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      routers[t].route(block, count, leaf);
      const double* addend = trees[t].addend;
      const std::int32_t* output = trees[t].output;
      for (std::size_t i = done; i < count; ++i) to[i * outputs + output[leaf[i]]] += addend[leaf[i]];
    }
  });
}

void combine_shares(const FractionalTree& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                    std::int32_t* leaf, double* out, Pool& pool) {
  UsedColumns used(inputs);
  const Router router(tree.tree, used);
  const std::size_t classes = tree.classes;
  for_each_block(used, rows, pool, [&](ColumnBlock& block, std::size_t from, std::size_t count) {
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
