#include "growing/memory_store.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "growing/partition.hpp"
#include "growing/row_bit_partition.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t shared_rows = 1 << 12;  // smaller nodes are not shared out among threads
// To hand a leaf over to another thread and to take it back costs about this many nanoseconds (two threads:
// satimage .32 s with 6,000, .34 with 20,000; a6a .279 and .274).
constexpr double worth_handing_over = 6000;

}  // namespace

template <class Cell>
MemoryStore<Cell>::MemoryStore(Workspace<Cell>& workspace, const GrowthRules& rules, const NodeRows& root,
                               std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll)
    : ThreadedStore(pool, poll), workspace_(workspace), builder_(workspace.builder),
      problem_(builder_.problem()), leaf_rules_(rules), search_(workspace, rules, leaf_rules_, pool),
      root_(root), rows_(rows) {
  builder_.set_columns(rules.allowed, by_histograms());
  arrays_ = workspace.arrays(rows);
  if (problem_.weights && by_histograms()) workspace.carry_weights(problem_.weights, rows, arrays_, pool_);
  // In nanoseconds, about: rows are divided and half of them summed, cells are searched.
  const HistogramLayout& layout = builder_.layout();
  const double a_row = 2 + 0.3 * layout.updates, search = 2 * static_cast<double>(layout.total);
  least_rows_ahead_ = static_cast<std::int64_t>(std::max(0.0, (worth_handing_over - search) / a_row));
}

// `weights` are those of the classes present, in order.
template <class Cell>
auto MemoryStore<Cell>::make_leaf(NodeRows rows, const RowArrays& arrays, std::vector<double> weights,
                                  std::int32_t depth) const -> std::unique_ptr<OwnLeaf> {
  auto leaf = std::make_unique<OwnLeaf>();
  double examples = -1;
  if (problem_.examples) {
    examples = 0;
    for (std::uint32_t i = rows.begin; i < rows.end; ++i)
      examples += static_cast<double>(problem_.examples[arrays.rows[i]]);
  }
  std::vector<std::int32_t> labels;
  for (const ClassRows& part : rows.classes) labels.push_back(part.label);
  leaf_rules_.set_totals(*leaf, std::move(labels), std::move(weights), examples);
  leaf->rows = rows.size();
  leaf->depth = depth;
  leaf->own = std::move(rows);
  leaf->arrays = arrays;
  return leaf;
}

template <class Cell>
std::vector<double> MemoryStore<Cell>::class_weights(const NodeRows& node) const {
  std::vector<double> weights;
  for (const ClassRows& part : node.classes) {
    std::int64_t weight = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i)
      weight += arrays_.weights ? arrays_.weights[i] : problem_.weight(rows_[i]);
    weights.push_back(static_cast<double>(weight));
  }
  return weights;
}

template <class Cell>
LeafPtr MemoryStore<Cell>::adopt(const Leaf& known, NodeRows rows, double root_weight) {
  leaf_rules_.set_root_weight(root_weight);
  auto leaf = make_leaf(rows, arrays_, class_weights(rows), known.depth);
  if (leaf->labels != known.labels || leaf->totals.total != known.totals.total)
    throw std::logic_error("The rows of a node are not those that its sums told of.");
  leaf->totals.constraint = known.totals.constraint;
  leaf->path = known.path;
  leaf->allowed = known.allowed;
  leaf->histogram = builder_.build(leaf->own, arrays_, pool_);
  search_.find_split(*leaf, 0);
  return leaf;
}

template <class Cell>
LeafPtr MemoryStore<Cell>::root(bool search) {
  auto first = make_leaf(root_, arrays_, class_weights(root_), 0);
  leaf_rules_.set_root(*first);
  leaf_rules_.guide_root(*first);
  if (search && leaf_rules_.may_split(*first)) {
    if (by_histograms() && keeps_bits(*problem_.table, root_.size())) {
      first->bits = std::make_unique<RowBits>();
      first->bits->set(*problem_.table, root_, arrays_.rows, &pool_);
    }
    if (by_histograms()) first->histogram = builder_.build(root_, arrays_, pool_);
    poll_();
    if constexpr (std::is_same_v<Cell, std::int64_t>)
      if (workspace_.order && first->histogram) workspace_.order->begin_tree(search_.view_of(*first), pool_);
    if (by_histograms() && workspace_.shelf.keeps(root_.size()))
      first->kept.begin(workspace_.shelf, *problem_.table);
    search_.find_split(*first, 0);
  } else {
    search_.count_pure(*first);
  }
  return first;
}

// Histograms of the children that need one: the largest child's is what the others leave of the parent's.
template <class Cell>
void MemoryStore<Cell>::give_histograms(OwnLeaf& parent, const std::vector<char>& needs, std::size_t largest) {
  auto& children = parent.children;
  const auto child = [&](std::size_t i) -> OwnLeaf& { return cast(*children[i]); };
  const bool by_subtraction = needs[largest] && parent.histogram;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (i != largest ? needs[i] || by_subtraction : needs[i] && !by_subtraction)
      child(i).histogram = builder_.build(child(i).own, child(i).arrays, pool_);
  if (by_subtraction) {
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == largest) continue;
      builder_.subtract(child(i).own, child(i).histogram.get(), parent.histogram.get(), pool_);
      if (!needs[i]) builder_.release(std::move(child(i).histogram));
    }
    child(largest).histogram = std::move(parent.histogram);
  }
  builder_.release(std::move(parent.histogram));
}

template <class Cell>
Split MemoryStore<Cell>::multiway(Leaf& leaf, const MultiwayOffer& offer) {
  return search_.multiway(cast(leaf), offer);
}

template <class Cell>
void MemoryStore<Cell>::decide(Leaf& leaf, double least_drop) {
  poll_();
  search_.decide(cast(leaf), least_drop);
}

// Divides the leaf's rows; class weights of the children follow from the split.
template <class Cell>
void MemoryStore<Cell>::expand_one(Leaf& any, bool more_to_come, double least_drop) {
  OwnLeaf& leaf = cast(any);
  std::optional<BitBranches> by_bits;
  if (leaf.bits) by_bits = divide_bits(problem_, leaf.own, *leaf.bits, leaf.split, leaf.arrays, pool_);
  auto parts = by_bits ? std::move(by_bits->rows) : divide(problem_, leaf.own, leaf.split, leaf.arrays, &pool_);
  leaf.bits.reset();
  const std::size_t classes = leaf.labels.size();
  std::vector<char> needs;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    std::vector<double> weights;
    for (std::size_t k = 0; k < classes; ++k)
      if (const double weight = leaf.split.weights[b * classes + k]; weight > 0) weights.push_back(weight);
    leaf.children.push_back(
        make_leaf(std::move(parts[b]), leaf.arrays.moved(), std::move(weights), leaf.depth + 1));
    if (by_bits) cast(*leaf.children.back()).bits = std::move(by_bits->bits[b]);
    leaf_rules_.inherit(leaf, static_cast<std::int32_t>(b), *leaf.children.back());
    leaf_rules_.guide_branch(leaf, *leaf.children.back(), b);
    needs.push_back(more_to_come && leaf_rules_.may_split(*leaf.children.back()));
    // Not even one that costs nothing would drop as much.
    if (needs.back() && by_histograms() && leaf_rules_.most_cost(*leaf.children.back(), least_drop) < 0) {
      needs.back() = 0;
      search_.note_searched(cast(*leaf.children.back()));
    }
  }
  std::size_t largest = 0;
  for (std::size_t i = 1; i < leaf.children.size(); ++i)
    if (leaf.children[i]->rows >= leaf.children[largest]->rows) largest = i;
  if (by_histograms()) give_histograms(leaf, needs, largest);
  search_children(leaf, needs, largest, least_drop);
}

// Large children keep sums by slices. The largest one has them from the parent and from the others, so it comes
// last where others keep sums too.
template <class Cell>
void MemoryStore<Cell>::search_children(OwnLeaf& parent, const std::vector<char>& needs, std::size_t largest,
                                        double least_drop) {
  const std::size_t count = parent.children.size();
  const auto child = [&](std::size_t i) -> OwnLeaf& { return cast(*parent.children[i]); };
  std::vector<typename KeptSlices<Cell>::Branch> others;
  std::size_t keeping = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != largest)
      others.push_back({&child(i).own, child(i).arrays.rows, child(i).arrays.weights, &child(i).kept});
    if (!needs[i] || !by_histograms() || !workspace_.shelf.keeps(child(i).own.size())) continue;
    child(i).kept.begin(workspace_.shelf, *problem_.table);
    ++keeping;
  }
  if (child(largest).kept.begun()) child(largest).kept.inherit(parent.kept, std::move(others));
  parent.kept.clear();
  const auto search_child = [&](std::size_t i) {
    if (needs[i]) search_.find_split(child(i), least_drop);
    else search_.count_pure(child(i));
  };
  if (parent.own.size() >= shared_rows && keeping < 2) return pool_.parallel_for(count, search_child);
  for (std::size_t i = 0; i < count; ++i)
    if (i != largest) search_child(i);
  search_child(largest);
}

template <class Cell>
void MemoryStore<Cell>::joined(const Leaf& leaf) {
  const auto& own = static_cast<const OwnLeaf&>(leaf);
  node_rows_.push_back(own.own);
  moved_.push_back(own.arrays.rows != rows_.data());
}

template <class Cell>
void MemoryStore<Cell>::finish(Growth& growth, std::span<Leaf* const> frontier) {
  stop();
  for (Leaf* leaf : frontier) give_back(cast(*leaf));
  for (std::size_t n = 0; n < node_rows_.size(); ++n)
    if (moved_[n] && growth.tree.kind[n] == leaf_node)
      std::copy(arrays_.moved_rows + node_rows_[n].begin, arrays_.moved_rows + node_rows_[n].end,
                rows_.data() + node_rows_[n].begin);
  growth.tree.share.clear();
}

// Of a leaf that stays one: its histogram and those below go back to the workspace. Where branches were divided
// ahead of a turn that never came, rows have been moved over the leaf's own, which go back into the order by
// class.
template <class Cell>
void MemoryStore<Cell>::give_back(OwnLeaf& leaf) {
  builder_.release(std::move(leaf.histogram));
  leaf.kept.clear();
  if (leaf.notes) workspace_.notes.give_back(std::move(leaf.notes));
  bool moved_over = false;
  for (const LeafPtr& child : leaf.children) {
    give_back(cast(*child));
    moved_over |= child->state == LeafState::expanded;
  }
  if (!moved_over) return;
  const std::uint32_t* from = leaf.arrays.moved_rows;
  std::uint32_t* to = leaf.arrays.rows + leaf.own.begin;
  for (const ClassRows& part : leaf.own.classes)
    for (const LeafPtr& child : leaf.children)
      for (const ClassRows& piece : cast(*child).own.classes)
        if (piece.label == part.label) to = std::copy(from + piece.begin, from + piece.end, to);
}

template <class Cell>
Threshold MemoryStore<Cell>::threshold(std::uint32_t c, std::uint64_t below, std::uint64_t above) const {
  return threshold_of_codes(problem_.table->columns[c], below, above);
}

template class MemoryStore<std::uint32_t>;
template class MemoryStore<std::int64_t>;

}  // namespace hardwood
