#include "explain/shap.hpp"

#include <algorithm>
#include <cmath>

#include "data/infinite_value.hpp"
#include "explain/shap_kernels.hpp"
#include "explain/shap_plan.hpp"
#include "predict/column_blocks.hpp"
#include "predict/router.hpp"
#include "tree/tree.hpp"

namespace hardwood {

namespace {

constexpr std::size_t lanes = shap_lanes;
constexpr std::size_t most_rows = 256;                     // of a block
constexpr std::size_t block_bytes = std::size_t{1} << 19;  // that its sums should fit in

// Everything that all rows share.
struct Explained {
  Explained(std::span<const ExplainedTree> explained, std::span<const ColumnInput> columns, std::size_t sums)
      : trees(explained), inputs(columns), outputs(sums), used(columns) {
    for (const ExplainedTree& each : trees) {
      routers.emplace_back(each.tree, used);
      plans.emplace_back(each.tree, each.weight, used);
      most_nodes = std::max(most_nodes, each.tree.nodes);
      numbers = std::max(numbers, plans.back().numbers());
      flags = std::max(flags, plans.back().flags());
    }
    const std::size_t fit = block_bytes / sizeof(double) / std::max<std::size_t>(used.size() * outputs, 1);
    block_size = std::clamp(fit / lanes * lanes, lanes, most_rows);
  }

  bool single_cut(const TreeView& tree, std::size_t node) const {
    return tree.kind[node] == interval_node && tree.cut_count[node] == 1 && tree.branches[node] == 2 &&
           used.kind(tree.feature[node]) == ColumnKind::numeric;
  }

  std::span<const ExplainedTree> trees;
  std::span<const ColumnInput> inputs;
  std::size_t outputs;
  UsedColumns used;
  std::vector<Router> routers;
  std::vector<ShapPlan> plans;
  std::size_t most_nodes = 0, numbers = 0, flags = 0, block_size = lanes;
};

// One thread's work on a block of rows.
class BlockShap {
 public:
  explicit BlockShap(const Explained& all)
      : all_(all), size_(all.block_size), block_(all.used, all.inputs, size_), values_(all.used.size() * size_),
        phi_(all.used.size() * all.outputs * size_), numbers_(all.numbers), answers_(all.most_nodes * lanes),
        flags_(all.flags) {}

  void explain(std::size_t from, std::size_t count, double* out) {
    load(from, count);
    std::fill(phi_.begin(), phi_.end(), 0.0);
    for (std::size_t t = 0; t < all_.trees.size(); ++t)
      for (std::size_t first = 0; first < count; first += lanes) {
        answer(t, first, std::min(lanes, count - first));
        add_tree(t, first);
      }
    write(from, count, out);
  }

 private:
  // Numeric columns side by side, rows beyond the last as 0.
  void load(std::size_t from, std::size_t count) {
    block_.load(from, count);
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t s = 0; s < all_.used.size(); ++s) {
      const auto slot = static_cast<std::int32_t>(s);
      if (block_.input(slot).kind != ColumnKind::numeric) continue;
      double* to = values_.data() + s * size_;
      for (std::size_t i = 0; i < count; ++i) to[i] = block_[slot].value(i);
      if (std::any_of(to, to + count, [](double x) { return std::isinf(x); }))
        throw InfiniteValue(all_.used.feature(slot));
    }
  }

  void answer(std::size_t t, std::size_t first, std::size_t count) {
    const TreeView& tree = all_.trees[t].tree;
    for (std::size_t n = 0; n < tree.nodes; ++n) {
      if (tree.kind[n] == leaf_node) continue;
      std::int32_t* to = answers_.data() + n * lanes;
      if (all_.single_cut(tree, n)) {
        const double* x = values_.data() + all_.used.slot(tree.feature[n]) * size_ + first;
        shap_kernels().cut(x, tree.thresholds[tree.cut_begin[n]], tree.missing_branch[n], to);
      } else {
        all_.routers[t].branches(static_cast<std::int32_t>(n), block_, first, count, to);
        std::fill(to + count, to + lanes, 0);
      }
    }
  }

  void add_tree(std::size_t t, std::size_t first) {
    const ShapProgram program = all_.plans[t].program();
    for (const LeafScores& scores : all_.trees[t].scores)
      shap_kernels().add(program, scores.value, answers_.data(), numbers_.data(), flags_.data(),
                         phi_.data() + scores.output * all_.used.size() * size_ + first, size_);
  }

  void write(std::size_t from, std::size_t count, double* out) const {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t s = 0; s < all_.used.size(); ++s) {
        const std::size_t column = all_.used.feature(static_cast<std::int32_t>(s));
        double* to = out + ((from + i) * all_.inputs.size() + column) * all_.outputs;
        for (std::size_t o = 0; o < all_.outputs; ++o) to[o] = phi_[(o * all_.used.size() + s) * size_ + i];
      }
  }

  const Explained& all_;
  std::size_t size_;
  ColumnBlock block_;
  std::vector<double> values_, phi_, numbers_;
  std::vector<std::int32_t> answers_;
  std::vector<std::int64_t> flags_;
};

}  // namespace

void add_shap(std::span<const ExplainedTree> trees, std::span<const ColumnInput> inputs, std::size_t rows,
              std::size_t outputs, double* phi, Pool& pool, const Poll& poll) {
  const Explained all(trees, inputs, outputs);
  const std::size_t blocks = (rows + all.block_size - 1) / all.block_size;
  const std::size_t tasks = std::min<std::size_t>(8 * pool.size(), blocks);
  pool.parallel_for(tasks, [&](std::size_t task) {
    BlockShap work(all);
    for (std::size_t b = blocks * task / tasks; b < blocks * (task + 1) / tasks; ++b) {
      poll();
      const std::size_t from = b * all.block_size;
      work.explain(from, std::min(all.block_size, rows - from), phi);
    }
  });
}

}  // namespace hardwood
