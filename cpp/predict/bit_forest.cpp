#include "predict/bit_forest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "predict/bit_kernels.hpp"
#include "tree/tree.hpp"

namespace hardwood {

namespace {

constexpr std::size_t most_leaves = 64;
constexpr int most_bits = 6;
using Bits = std::array<std::uint64_t, bit_words>;

}  // namespace

bool BitForest::suits(std::span<const ScoredTree> trees, const UsedColumns& used) {
  for (const ScoredTree& scored : trees) {
    const Tree& tree = scored.tree;
    if (tree.size() > 2 * most_leaves - 1) return false;
    for (std::size_t n = 0; n < tree.size(); ++n) {
      if (tree.kind[n] == leaf_node) continue;
      const bool numeric = used.kind(tree.feature[n]) == ColumnKind::numeric;
      if (tree.kind[n] != interval_node || !numeric || tree.cut_count[n] != 1 || tree.branches[n] != 2)
        return false;
    }
  }
  return !trees.empty();
}

BitForest::BitForest(std::span<const ScoredTree> trees, const UsedColumns& used) {
  std::map<std::tuple<std::int32_t, double, bool>, std::int32_t> known;
  for (const ScoredTree& scored : trees) {
    const Tree& tree = scored.tree;
    Shape shape;
    shape.nodes.resize(tree.size());
    for (std::size_t n = 0; n < tree.size(); ++n) {
      Node& node = shape.nodes[n];
      if (tree.kind[n] == leaf_node) {
        node.first_child = static_cast<std::int32_t>(shape.value.size());  // its leaf number
        shape.value.push_back(scored.addend[n]);
        shape.output.push_back(scored.output[n]);
        shape.one_output &= scored.output[n] == shape.output[0];
        continue;
      }
      const double threshold = tree.thresholds[tree.cut_begin[n]];
      const bool nan_left = tree.missing_branch[n] == 0;
      const std::int32_t slot = used.slot(tree.feature[n]);
      const auto [at, added] =
          known.try_emplace({slot, threshold, nan_left}, static_cast<std::int32_t>(questions_.size()));
      if (added) questions_.push_back({slot, nan_left, threshold});
      node.question = at->second;
      node.first_child = tree.first_child[n];
    }
    shape.bits = static_cast<int>(std::bit_width(shape.value.size() - 1));
    trees_.push_back(std::move(shape));
  }
  slots_ = used.size();
}

namespace {

/// A thread's buffer for one block of rows. Up to a megabyte stays for the next block, so that a thread
/// does not keep what the largest forest needed.
template <class Item>
class BlockBuffer {
 public:
  explicit BlockBuffer(std::size_t size) { kept_.resize(size); }
  ~BlockBuffer() {
    if (kept_.capacity() * sizeof(Item) > (std::size_t{1} << 20)) std::vector<Item>().swap(kept_);
  }
  BlockBuffer(const BlockBuffer&) = delete;
  BlockBuffer& operator=(const BlockBuffer&) = delete;
  Item* data() { return kept_.data(); }
  Item& operator[](std::size_t i) { return kept_[i]; }

 private:
  inline static thread_local std::vector<Item> kept_;
};

}  // namespace

bool BitForest::add(const ColumnBlock& block, std::size_t first, std::size_t outputs, double* score) const {
  const BitKernels& kernels = bit_kernels();
  BlockBuffer<double> values(slots_ * bit_rows);
  BlockBuffer<Bits> answers(questions_.size());
  for (std::size_t s = 0; s < slots_; ++s) {
    double* to = values.data() + s * bit_rows;
    const Slot& slot = block[static_cast<std::int32_t>(s)];
    double odd = 0;  // NaN once a NaN or an infinite value was met
    for (std::size_t i = 0; i < bit_rows; ++i) {
      to[i] = slot.value(first + i);
      odd += to[i] - to[i];
    }
    if (odd != odd && std::any_of(to, to + bit_rows, [](double x) { return std::isinf(x); })) return false;
  }
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const Question& question = questions_[q];
    kernels.compare(values.data() + question.slot * bit_rows, question.threshold, question.nan_left,
                    answers[q].data());
  }
  std::uint8_t number[bit_rows];
  Bits at[2 * most_leaves];
  for (const Shape& tree : trees_) {
    std::uint64_t planes[most_bits][bit_words] = {};
    at[0].fill(~std::uint64_t{0});
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Node& node = tree.nodes[n];
      const Bits here = at[n];
      if (node.question >= 0) {
        const Bits& yes = answers[node.question];
        for (std::size_t w = 0; w < bit_words; ++w) {
          at[node.first_child][w] = here[w] & yes[w];
          at[node.first_child + 1][w] = here[w] & ~yes[w];
        }
      } else {
        for (int k = 0; k < tree.bits; ++k)
          if (node.first_child >> k & 1)
            for (std::size_t w = 0; w < bit_words; ++w) planes[k][w] |= here[w];
      }
    }
    kernels.leaf_numbers(planes, tree.bits, number);
    if (outputs == 1) {
      kernels.add_values(number, tree.value.data(), score);
    } else {
      for (std::size_t i = 0; i < bit_rows; ++i)
        score[i * outputs + tree.output[number[i]]] += tree.value[number[i]];
    }
  }
  return true;
}

}  // namespace hardwood
