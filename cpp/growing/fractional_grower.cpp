#include "growing/fractional_grower.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <set>

#include "growing/exact_sum.hpp"
#include "growing/fractional_division.hpp"
#include "growing/tree_builder.hpp"
#include "search/fractional_search.hpp"

namespace hardwood {

namespace {

struct Stopped {};  // another thread knows why

struct FractionalLeaf {
  Items items;
  NodeTotals totals;
  std::int32_t depth = 0;
  std::int32_t node = -1;
  double share = 1;  // of the parent's present weight
  FractionalSplit split;
  double priority = 0;  // larger is split earlier

  // Filled by expansion, which may run ahead of the leaf's turn.
  FractionalDivision division;
  std::vector<std::unique_ptr<FractionalLeaf>> children;
};

// As in grower.cpp, leaves are expanded ahead of their turn, by several threads, and splits are committed to
// the tree strictly in order.
class FractionalGrower {
 public:
  FractionalGrower(const Problem& problem, const GrowthRules& rules, Pool& pool, const Poll& poll)
      : problem_(problem), rules_(rules), pool_(pool), tree_(problem), search_(problem, pool, poll_) {
    poll_ = [this, &poll] { ask(poll); };
  }

  Growth run(const NodeRows& root, const std::vector<std::uint32_t>& rows);

 private:
  using LeafPtr = std::unique_ptr<FractionalLeaf>;
  struct Earlier {
    bool operator()(const LeafPtr& a, const LeafPtr& b) const {
      return a->priority != b->priority ? a->priority > b->priority : a->node < b->node;
    }
  };

  LeafPtr make_leaf(Items items, std::int32_t depth, double share);
  bool may_split(const FractionalLeaf& leaf) const;
  void find_split(FractionalLeaf& leaf);
  void expand(FractionalLeaf& leaf, bool more_to_come);
  void expand_first_leaves();
  void commit();
  void join(LeafPtr leaf, std::int32_t parent);
  void record();
  void grow_tree(const NodeRows& root, const std::vector<std::uint32_t>& rows);
  void ask(const Poll& poll);
  // How many more leaves the budget allows.
  std::int64_t room() const { return rules_.max_leaves ? rules_.max_leaves - leaves_ : leaves_ + 1; }

  const Problem& problem_;
  const GrowthRules& rules_;
  Pool& pool_;
  Poll poll_;
  TreeBuilder tree_;
  FractionalSearch search_;
  double root_weight_ = 0;

  std::set<LeafPtr, Earlier> frontier_;  // leaves that have a split
  std::int64_t leaves_ = 0;
  Growth growth_;
  ExactSum potential_;
  double error_ = 0;

  std::mutex mutex_;
  std::atomic<bool> stopping_{false};
  std::exception_ptr reason_;  // of stopping
};

double error_weight(const NodeTotals& totals) {
  const auto first = totals.total.begin();
  return totals.weight - *std::max_element(first, first + totals.classes);
}

FractionalGrower::LeafPtr FractionalGrower::make_leaf(Items items, std::int32_t depth, double share) {
  auto leaf = std::make_unique<FractionalLeaf>();
  NodeTotals& totals = leaf->totals;
  totals.criterion = problem_.criterion;
  totals.limits = rules_.limits;
  totals.classes = static_cast<int>(items.by_class.classes.size());
  for (const ClassRows& part : items.by_class.classes) {
    std::int64_t weight = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i) weight += items.weight[i];
    totals.total.push_back(static_cast<double>(weight));
    totals.weight += totals.total.back();
  }
  totals.cost = with_criterion(problem_.criterion,
                               [&]<Criterion K>() { return phi<K>(totals.total.data(), totals.classes); });
  if (problem_.examples) {
    std::int64_t examples = 0;
    for (std::int64_t each : items.examples) examples += each;
    totals.total.push_back(static_cast<double>(examples));
  }
  leaf->items = std::move(items);
  leaf->depth = depth;
  leaf->share = share;
  return leaf;
}

bool FractionalGrower::may_split(const FractionalLeaf& leaf) const {
  const NodeTotals& totals = leaf.totals;
  if (totals.classes < 2) return false;
  if (rules_.max_depth && leaf.depth >= rules_.max_depth) return false;
  if (totals.weight < 2 * rules_.limits.min_weight) return false;
  return !problem_.examples || totals.total.back() >= 2 * rules_.limits.min_examples;
}

// Examples are kept only where they will be divided.
void FractionalGrower::find_split(FractionalLeaf& leaf) {
  if (may_split(leaf)) {
    FractionalSplit split = search_.run(leaf.items, leaf.totals);
    if (split.found()) {
      const double drop = std::max(0.0, leaf.totals.cost - split.cost);
      if (drop / root_weight_ >= rules_.min_drop) leaf.split = std::move(split);
      leaf.priority = rules_.leaf_choice == LeafChoice::drop ? drop : leaf.totals.cost;
    }
  }
  if (!leaf.split.found()) {
    leaf.items.row = {};
    leaf.items.weight = {};
    leaf.items.examples = {};
  }
}

void FractionalGrower::join(LeafPtr leaf, std::int32_t parent) {
  leaf->node = tree_.add_leaf(parent, leaf->depth, leaf->items.by_class, leaf->totals);
  tree_.set_share(leaf->share);
  ++leaves_;
  potential_.add(leaf->totals.cost);
  error_ += error_weight(leaf->totals);
  if (leaf->split.found()) frontier_.insert(std::move(leaf));
}

void FractionalGrower::record() {
  growth_.potential.push_back(potential_.value());
  growth_.error.push_back(error_);
}

void FractionalGrower::expand(FractionalLeaf& leaf, bool more_to_come) {
  FractionalDivision& division = leaf.division;
  division = divide(problem_, leaf.items, leaf.split);
  leaf.items = {};
  for (std::int32_t j = 0; j < leaf.split.arity; ++j) {
    Items& items = division.branches[j];
    leaf.children.push_back(make_leaf(std::move(items), leaf.depth + 1, division.share[j]));
    if (more_to_come) find_split(*leaf.children.back());
  }
}

// Those whose turn is next, as many as keep the threads busy.
void FractionalGrower::expand_first_leaves() {
  const int ahead = pool_.size() == 1 ? 1 : 4 * pool_.size();
  std::vector<FractionalLeaf*> leaves;
  std::int64_t place = 0;
  for (auto it = frontier_.begin(); it != frontier_.end() && place < ahead && place < room(); ++it, ++place)
    if ((*it)->children.empty()) leaves.push_back(it->get());
  const bool more_to_come = room() > 1;
  pool_.parallel_for(leaves.size(), [&](std::size_t i) {
    poll_();
    expand(*leaves[i], more_to_come);
  });
}

// Splits the first leaf of the frontier, which has been expanded.
void FractionalGrower::commit() {
  auto taken = frontier_.extract(frontier_.begin());
  FractionalLeaf& leaf = *taken.value();
  tree_.split(leaf.node, leaf.split, leaf.division);
  growth_.split_nodes.push_back(leaf.node);
  growth_.exact.push_back(leaf.split.exact ? 1 : 0);
  potential_.take(leaf.totals.cost);
  error_ -= error_weight(leaf.totals);
  --leaves_;
  for (LeafPtr& child : leaf.children) join(std::move(child), leaf.node);
  record();
}

// Once one thread is told to stop, so are the others.
void FractionalGrower::ask(const Poll& poll) {
  if (stopping_) throw Stopped();
  try {
    poll();
  } catch (...) {
    std::lock_guard lock(mutex_);
    if (!reason_) reason_ = std::current_exception();
    stopping_ = true;
    throw;
  }
}

Growth FractionalGrower::run(const NodeRows& root, const std::vector<std::uint32_t>& rows) {
  try {
    grow_tree(root, rows);
  } catch (const Stopped&) {
    std::rethrow_exception(reason_);
  }
  growth_.tree = tree_.take();
  return std::move(growth_);
}

void FractionalGrower::grow_tree(const NodeRows& root, const std::vector<std::uint32_t>& rows) {
  Items items;
  items.by_class = root;
  items.row = rows;
  for (std::uint32_t row : rows) {
    items.weight.push_back(problem_.weight(row));
    if (problem_.examples) items.examples.push_back(problem_.examples[row]);
  }
  LeafPtr first = make_leaf(std::move(items), 0, 1.0);
  root_weight_ = first->totals.weight;
  if (rules_.max_leaves != 1) find_split(*first);
  join(std::move(first), -1);
  record();
  while (!frontier_.empty() && room() > 0) {
    poll_();
    if ((*frontier_.begin())->children.empty()) expand_first_leaves();
    commit();
  }
}

}  // namespace

Growth grow_fractional(const Problem& problem, const GrowthRules& rules, const NodeRows& root,
                       const std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll) {
  return FractionalGrower(problem, rules, pool, poll).run(root, rows);
}

}  // namespace hardwood
