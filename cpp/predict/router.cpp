#include "predict/router.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "data/infinite_value.hpp"
#include "data/load.hpp"
#include "tree/tree.hpp"

namespace hardwood {

namespace {

constexpr std::size_t strands = 8;  // rows that go down the tree side by side

}  // namespace

Router::Router(const TreeView& tree, UsedColumns& used) : tree_(tree), nodes_(tree.nodes) {
  for (std::size_t n = 0; n < tree.nodes; ++n) {
    Node& node = nodes_[n];
    if (tree.kind[n] == leaf_node) {
      node = {std::numeric_limits<double>::infinity(), static_cast<std::int32_t>(n), 0, 0, Step::stop};
      continue;
    }
    const std::int32_t feature = tree.feature[n];
    node = {0, tree.first_child[n], used.slot_of(feature), tree.missing_branch[n], Step::cuts};
    const ColumnKind kind = used.kind(feature);
    if (tree.kind[n] == group_node) {
      node.step = Step::groups;
    } else if (kind == ColumnKind::integer || kind == ColumnKind::unsigned_integer) {
      node.step = Step::integer_cuts;
    } else if (tree.cut_count[n] == 1 && tree.branches[n] == 2) {
      node.step = Step::cut;
      node.threshold = tree.thresholds[tree.cut_begin[n]];
    }
    only_cuts_ &= node.step == Step::cut;
  }
  only_cuts_ &= tree.nodes > 1;
}

// The branch at a single cut without a jump: right unless x <= threshold, missing_branch for NaN.
std::int32_t Router::cut_branch(const Node& at, double x) {
  const std::int32_t right = x <= at.threshold ? 0 : 1;
  const std::int32_t missing = x == x ? 0 : 1;
  return right + missing * (at.missing_branch - 1);
}

std::int32_t Router::integer_branch(std::int32_t node, const ColumnInput& in, std::size_t row) const {
  if (in.missing && in.missing[row]) return tree_.missing_branch[node];
  std::uint64_t key;
  std::memcpy(&key, in.data + static_cast<std::ptrdiff_t>(row) * in.stride, sizeof key);
  const std::uint64_t flip = key_flip(in.kind);
  const std::int64_t* cut = tree_.integer_thresholds + tree_.cut_begin[node];
  std::int32_t out = 0;
  while (out < tree_.cut_count[node] && (key ^ flip) > (std::bit_cast<std::uint64_t>(cut[out]) ^ flip)) ++out;
  return out;
}

std::int32_t Router::group_branch(std::int32_t node, double code) const {
  if (code == -1) return tree_.missing_branch[node];
  const std::int32_t* first = tree_.group_codes + tree_.group_begin[node];
  const std::int32_t* last = first + tree_.group_count[node];
  const std::int32_t* at = std::lower_bound(first, last, static_cast<std::int32_t>(code));
  if (at == last || *at != static_cast<std::int32_t>(code)) return tree_.default_branch[node];
  return tree_.group_branches[tree_.group_begin[node] + (at - first)];
}

std::int32_t Router::branch(std::int32_t node, const Node& at, const ColumnBlock& block, std::size_t i) const {
  if (at.step == Step::integer_cuts) return integer_branch(node, block.input(at.slot), block.first_row() + i);
  const double x = block[at.slot].value(i);
  if (at.step == Step::groups) return group_branch(node, x);
  if (std::isinf(x)) throw InfiniteValue(block.used().feature(at.slot));
  if (at.step == Step::cut) return cut_branch(at, x);
  if (x != x) return at.missing_branch;
  const double* cut = tree_.thresholds + tree_.cut_begin[node];
  return static_cast<std::int32_t>(std::lower_bound(cut, cut + tree_.cut_count[node], x) - cut);
}

void Router::branches(std::int32_t node, const ColumnBlock& block, std::size_t first, std::size_t count,
                      std::int32_t* out) const {
  for (std::size_t i = 0; i < count; ++i) out[i] = branch(node, nodes_[node], block, first + i);
}

void Router::route_one_by_one(const ColumnBlock& block, std::size_t first, std::size_t count,
                              std::int32_t* leaf) const {
  for (std::size_t i = first; i < count; ++i) {
    std::int32_t node = 0;
    while (nodes_[node].step != Step::stop)
      node = nodes_[node].first_child + branch(node, nodes_[node], block, i);
    leaf[i] = node;
  }
}

// The rows wait for each other, but not for mispredicted jumps: on the whole it is faster.
void Router::route_side_by_side(const ColumnBlock& block, std::size_t count, std::int32_t* leaf) const {
  const Node* nodes = nodes_.data();
  for (std::size_t i = 0; i < count; i += strands) {
    std::int32_t at[strands] = {};
    double odd[strands] = {};  // NaN once a NaN or an infinite value was met
    unsigned going = 1;
    while (going) {
      going = 0;
      for (std::size_t k = 0; k < strands; ++k) {
        const Node& node = nodes[at[k]];
        const double x = block[node.slot].value(i + k);
        odd[k] += x - x;
        at[k] = node.first_child + cut_branch(node, x);
        going |= static_cast<unsigned>(node.step);
      }
    }
    double any_odd = 0;
    for (double each : odd) any_odd += each;
    std::copy(at, at + strands, leaf + i);
    if (any_odd != any_odd) route_one_by_one(block, i, i + strands, leaf);
  }
}

void Router::route(const ColumnBlock& block, std::size_t count, std::int32_t* leaf) const {
  const std::size_t aside = only_cuts_ ? count - count % strands : 0;
  route_side_by_side(block, aside, leaf);
  route_one_by_one(block, aside, count, leaf);
}

bool Router::is_missing(const ColumnInput& in, const ColumnBlock& block, std::int32_t slot, std::size_t i) {
  if (in.kind == ColumnKind::integer || in.kind == ColumnKind::unsigned_integer)
    return in.missing && in.missing[block.first_row() + i];
  const double x = block[slot].value(i);
  return in.kind == ColumnKind::category ? x == -1 : x != x;
}

void Router::find_missing(const ColumnBlock& block, std::size_t count, bool* missing) const {
  std::fill(missing, missing + count, false);
  for (std::size_t s = 0; s < block.used().size(); ++s) {
    const auto slot = static_cast<std::int32_t>(s);
    const ColumnInput& in = block.input(slot);
    for (std::size_t i = 0; i < count; ++i) missing[i] |= is_missing(in, block, slot, i);
  }
}

void Router::spread(const ColumnBlock& block, std::size_t i, const double* share, std::vector<Part>& pending,
                    std::vector<Part>& leaves) const {
  leaves.clear();
  pending.assign(1, {0, 1.0});
  while (!pending.empty()) {
    const Part at = pending.back();
    const Node& node = nodes_[at.node];
    pending.pop_back();
    if (node.step == Step::stop) {
      leaves.push_back(at);
    } else if (!is_missing(block.input(node.slot), block, node.slot, i)) {
      pending.push_back({node.first_child + branch(at.node, node, block, i), at.part});
    } else {
      for (std::int32_t j = tree_.branches[at.node]; j-- > 0;) {
        const std::int32_t child = node.first_child + j;
        pending.push_back({child, at.part * share[child]});
      }
    }
  }
}

}  // namespace hardwood
