#include "tree/route.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "data/infinite_value.hpp"
#include "data/load.hpp"
#include "tree/tree.hpp"

namespace hardwood {

namespace {

constexpr std::size_t block_rows = 1024;
constexpr std::size_t strands = 8;  // rows that go down the tree side by side

enum class Step : std::uint8_t { stop, cut, cuts, integer_cuts, groups };

// What routing needs of a node, together. A leaf leads back to itself.
struct RouteNode {
  double threshold;
  std::int32_t first_child;
  std::int32_t slot;  // of the column among those used
  std::int32_t missing_branch;
  Step step;
};

// A used column within the current block of rows.
struct Slot {
  const std::byte* data;
  std::ptrdiff_t stride;
  double value(std::size_t i) const {
    double out;
    std::memcpy(&out, data + static_cast<std::ptrdiff_t>(i) * stride, sizeof out);
    return out;
  }
};

class Router {
 public:
  Router(const TreeView& tree, std::span<const ColumnInput> inputs);
  // Rows [begin, end); stops with an exception at an infinite value that decides a row's way.
  void route(std::size_t begin, std::size_t end, std::int32_t* leaf) const;

 private:
  void route_side_by_side(const std::vector<Slot>& slots, std::size_t count, std::int32_t* leaf) const;
  void route_one_by_one(const std::vector<Slot>& slots, std::size_t from, std::size_t first,
                        std::size_t count, std::int32_t* leaf) const;
  std::int32_t branch(std::int32_t node, const RouteNode& at, const Slot& slot, std::size_t row,
                      std::size_t i) const;
  std::int32_t integer_branch(std::int32_t node, const ColumnInput& in, std::size_t row) const;
  std::int32_t group_branch(std::int32_t node, double code) const;

  const TreeView& tree_;
  std::vector<RouteNode> nodes_;
  std::vector<const ColumnInput*> used_;
  std::vector<std::int32_t> used_feature_;
  bool only_cuts_ = true;  // every inner node is a single cut of a numeric column
};

// The branch at a single cut without a jump: right unless x <= threshold, missing_branch for NaN.
std::int32_t cut_branch(const RouteNode& at, double x) {
  const std::int32_t right = x <= at.threshold ? 0 : 1;
  const std::int32_t missing = x == x ? 0 : 1;
  return right + missing * (at.missing_branch - 1);
}

bool read_in_place(const ColumnInput& in) {
  return in.type == ValueType::f64 && !in.missing && !in.rows && in.kind == ColumnKind::numeric;
}

Router::Router(const TreeView& tree, std::span<const ColumnInput> inputs) : tree_(tree) {
  std::vector<std::int32_t> slot(inputs.size(), -1);
  nodes_.resize(tree.nodes);
  for (std::size_t n = 0; n < tree.nodes; ++n) {
    RouteNode& node = nodes_[n];
    node = {0, tree.first_child[n], 0, tree.missing_branch[n], Step::stop};
    if (tree.kind[n] == leaf_node) {
      node = {std::numeric_limits<double>::infinity(), static_cast<std::int32_t>(n), 0, 0, Step::stop};
      continue;
    }
    const std::int32_t feature = tree.feature[n];
    if (slot[feature] < 0) {
      slot[feature] = static_cast<std::int32_t>(used_.size());
      used_.push_back(&inputs[feature]);
      used_feature_.push_back(feature);
    }
    node.slot = slot[feature];
    const ColumnKind kind = inputs[feature].kind;
    if (tree.kind[n] == group_node) {
      node.step = Step::groups;
    } else if (kind == ColumnKind::integer || kind == ColumnKind::unsigned_integer) {
      node.step = Step::integer_cuts;
    } else if (tree.cut_count[n] == 1 && tree.branches[n] == 2) {
      node.step = Step::cut;
      node.threshold = tree.thresholds[tree.cut_begin[n]];
    } else {
      node.step = Step::cuts;
    }
    only_cuts_ &= node.step == Step::cut;
  }
}

std::int32_t Router::integer_branch(std::int32_t node, const ColumnInput& in, std::size_t row) const {
  if (in.missing && in.missing[row]) return tree_.missing_branch[node];
  std::uint64_t key;
  std::memcpy(&key, in.data + static_cast<std::ptrdiff_t>(row) * in.stride, sizeof key);
  const std::uint64_t flip = key_flip(in.kind);
  const std::int64_t* cut = tree_.integer_thresholds + tree_.cut_begin[node];
  std::int32_t out = 0;
  while (out < tree_.cut_count[node] && (key ^ flip) > (std::bit_cast<std::uint64_t>(cut[out]) ^ flip))
    ++out;
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

// The less common steps.
std::int32_t Router::branch(std::int32_t node, const RouteNode& at, const Slot& slot, std::size_t row,
                            std::size_t i) const {
  if (at.step == Step::integer_cuts) return integer_branch(node, *used_[at.slot], row);
  const double x = slot.value(i);
  if (at.step == Step::groups) return group_branch(node, x);
  if (x != x) return at.missing_branch;
  const double* cut = tree_.thresholds + tree_.cut_begin[node];
  return static_cast<std::int32_t>(std::lower_bound(cut, cut + tree_.cut_count[node], x) - cut);
}

void Router::route(std::size_t begin, std::size_t end, std::int32_t* leaf) const {
  std::vector<Slot> slots(used_.size());
  std::vector<double> loaded;
  std::size_t to_load = 0;
  for (const ColumnInput* in : used_) to_load += read_in_place(*in) ? 0 : 1;
  loaded.resize(to_load * block_rows);
  for (std::size_t from = begin; from < end; from += block_rows) {
    const std::size_t count = std::min(block_rows, end - from);
    double* buffer = loaded.data();
    for (std::size_t s = 0; s < used_.size(); ++s) {
      const ColumnInput& in = *used_[s];
      if (read_in_place(in)) {
        slots[s] = {in.data + static_cast<std::ptrdiff_t>(from) * in.stride, in.stride};
        continue;
      }
      if (in.kind == ColumnKind::numeric || in.kind == ColumnKind::category)
        load_rows(in, from, from + count, buffer);
      slots[s] = {reinterpret_cast<const std::byte*>(buffer), sizeof(double)};
      buffer += block_rows;
    }
    const std::size_t aside = only_cuts_ && !used_.empty() ? count - count % strands : 0;
    route_side_by_side(slots, aside, leaf + from);
    route_one_by_one(slots, from, aside, count, leaf + from);
  }
}

void Router::route_one_by_one(const std::vector<Slot>& slots, std::size_t from, std::size_t first,
                              std::size_t count, std::int32_t* leaf) const {
  for (std::size_t i = first; i < count; ++i) {
    std::int32_t node = 0;
    for (;;) {
      const RouteNode& at = nodes_[node];
      if (at.step == Step::stop) break;
      const Slot& slot = slots[at.slot];
      const bool number = at.step == Step::cut || at.step == Step::cuts;
      if (number && std::isinf(slot.value(i))) throw InfiniteValue(used_feature_[at.slot]);
      node = at.step == Step::cut ? at.first_child + cut_branch(at, slot.value(i))
                                  : at.first_child + branch(node, at, slot, from + i, i);
    }
    leaf[i] = node;
  }
}

// The rows wait for each other, but not for mispredicted jumps: on the whole it is faster.
void Router::route_side_by_side(const std::vector<Slot>& slots, std::size_t count,
                                std::int32_t* leaf) const {
  const RouteNode* nodes = nodes_.data();
  for (std::size_t i = 0; i < count; i += strands) {
    std::int32_t at[strands] = {};
    double odd[strands] = {};  // NaN once a NaN or an infinite value was met
    unsigned going = 1;
    while (going) {
      going = 0;
      for (std::size_t k = 0; k < strands; ++k) {
        const RouteNode& node = nodes[at[k]];
        const double x = slots[node.slot].value(i + k);
        odd[k] += x - x;
        at[k] = node.first_child + cut_branch(node, x);
        going |= static_cast<unsigned>(node.step);
      }
    }
    double any_odd = 0;
    for (double each : odd) any_odd += each;
    std::copy(at, at + strands, leaf + i);
    if (any_odd != any_odd) route_one_by_one(slots, 0, i, i + strands, leaf);
  }
}

}  // namespace

void find_leaves(const TreeView& tree, std::span<const ColumnInput> inputs, std::size_t rows,
                 std::int32_t* leaf, Pool& pool) {
  const Router router(tree, inputs);
  const std::size_t tasks = std::min<std::size_t>(8 * pool.size(), (rows + block_rows - 1) / block_rows);
  pool.parallel_for(tasks, [&](std::size_t task) {
    router.route(rows * task / tasks, rows * (task + 1) / tasks, leaf);
  });
}

}  // namespace hardwood
