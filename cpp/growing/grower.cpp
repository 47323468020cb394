#include "growing/grower.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "growing/exact_sum.hpp"
#include "growing/tree_builder.hpp"

namespace hardwood {

namespace {

struct Earlier {
  bool operator()(const LeafPtr& a, const LeafPtr& b) const {
    if (a->turn != b->turn) return a->turn < b->turn;
    return a->hoped != b->hoped ? a->hoped > b->hoped : a->node < b->node;
  }
};

double error_weight(const NodeTotals& totals) {
  double largest = 0;
  for (int c = 0; c < totals.classes; ++c) largest = std::max(largest, totals.total[c]);
  return totals.weight - largest;
}

// Of larger budgets the leaves are not put in order again and again to know what drop is the least.
constexpr std::int64_t most_leaves_ranked = 1024;

// The loop over leaves. Expanding a leaf (dividing its rows, finding the best splits of its children) does
// not depend on the other leaves, so stores expand leaves ahead of their turn; splits are committed to the
// tree strictly in order, and the tree does not depend on how many were expanded.
class Grower {
 public:
  Grower(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll)
      : store_(store), rules_(rules), poll_(poll), tree_(classes) {}
  ~Grower() { store_.stop(); }

  // `open`: what the store may tell later is left open.
  Growth run(bool open, const std::function<void(std::int64_t)>& each_split);

 private:
  void begin();
  void join(LeafPtr leaf, std::int32_t parent);
  void commit();
  bool choose_branching(Leaf& leaf);
  // The draft says all of the leaf's split.
  static bool is_given(const Leaf& leaf) {
    return leaf.told && leaf.told->kind == Instruction::Kind::split && leaf.outcome == Outcome::followed;
  }
  void pass_over_unsplittable();
  static bool is_known(const Leaf& leaf);
  static void take_over(Leaf& leaf);
  void decide_next();
  void expand_next();
  void expand_some();
  std::vector<Expansion> next_leaves() const;
  double least_drop() const;
  void note_path();
  void note_told(const Leaf& leaf, bool committed);
  // A split of the draft that the budget does not allow.
  bool too_wide(const Leaf& leaf) const {
    return leaf.turn != std::numeric_limits<std::int32_t>::max() && rules_.max_leaves &&
           leaf.split.arity - 1 > room();
  }
  // Splits of more than two branches are acceptable; once they are not, they never are again.
  bool multiway() const {
    return rules_.prices && rules_.prices->widest(std::max<std::int64_t>(leaves_, 1)) > 2;
  }
  // How many more leaves the budget allows.
  std::int64_t room() const { return rules_.max_leaves ? rules_.max_leaves - leaves_ : leaves_ + 1; }

  RowStore& store_;
  const GrowthRules& rules_;
  const Poll& poll_;
  TreeBuilder tree_;
  std::set<LeafPtr, Earlier> frontier_;  // leaves that have a split, or may have one
  std::int64_t leaves_ = 0;
  Growth growth_;
  ExactSum potential_;
  double error_ = 0;
};

void Grower::note_path() {
  growth_.potential.push_back(potential_.value());
  growth_.error.push_back(error_);
}

// What became of the instruction about a leaf that joins the tree, or is split.
void Grower::note_told(const Leaf& leaf, bool committed) {
  if (!rules_.draft) return;
  if (growth_.outcome.empty()) growth_.outcome.resize(rules_.draft->size());
  if (!committed) growth_.told.push_back(-1);
  if (!leaf.told) return;
  const auto number = static_cast<std::int32_t>(leaf.told - rules_.draft->data());
  Outcome outcome = leaf.outcome;
  if (!committed && leaf.told->names_split() && outcome == Outcome::followed) outcome = Outcome::no_room;
  growth_.outcome[number] = static_cast<std::uint8_t>(outcome);
  if (outcome == Outcome::followed) growth_.told[leaf.node] = number;
}

// A leaf joins the tree.
void Grower::join(LeafPtr leaf, std::int32_t parent) {
  leaf->node = tree_.add_leaf(parent, *leaf);
  if (const auto& constraint = leaf->totals.constraint) growth_.intervals.push_back(constraint->interval(0));
  growth_.assessments += leaf->assessments;
  if (leaf->searched) growth_.searched_rows += leaf->rows;
  ++leaves_;
  potential_.add(leaf->totals.cost);
  error_ += error_weight(leaf->totals);
  store_.joined(*leaf);
  note_told(*leaf, false);
  if (is_known(*leaf)) take_over(*leaf);
  if (leaf->undecided || leaf->split.found() || (leaf->searched && multiway()))
    frontier_.insert(std::move(leaf));
}

// Whether an undecided leaf has been decided.
bool Grower::is_known(const Leaf& leaf) {
  const LeafState state = leaf.state.load(std::memory_order_acquire);
  return leaf.undecided && (state == LeafState::idle || state == LeafState::expanded);
}

// What was decided; the leaf is not in the frontier.
void Grower::take_over(Leaf& leaf) {
  leaf.undecided = false;
  leaf.hoped = leaf.sure = leaf.priority;
}

// Splits the first leaf of the frontier, which has been expanded.
void Grower::commit() {
  auto taken = frontier_.extract(frontier_.begin());
  Leaf& leaf = *taken.value();
  tree_.split(leaf.node, leaf.split, store_.kind(leaf.split.column));
  --leaves_;
  potential_.take(leaf.totals.cost);
  error_ -= error_weight(leaf.totals);
  for (LeafPtr& child : leaf.children) join(std::move(child), leaf.node);
  note_told(leaf, true);
  growth_.split_nodes.push_back(leaf.node);
  growth_.exact.push_back(leaf.exact ? 1 : 0);
  growth_.splits.push_back(std::move(leaf.split));
  note_path();
}

// The best of the acceptable functions, now that it is the leaf's turn; false when there is none.
bool Grower::choose_branching(Leaf& leaf) {
  const std::int64_t widest = rules_.prices->widest(leaves_);
  MultiwayOffer offer{std::vector<double>(widest + 1, 0.0), rules_.min_drop};
  for (std::int64_t k = 2; k <= widest; ++k) offer.prices[k] = rules_.prices->price(k);
  Split several = store_.multiway(leaf, offer);
  if (!several.found()) return leaf.split.found();
  // A split in two has price 1 and comes first on a tie.
  if (leaf.split.found() && leaf.totals.cost - leaf.split.cost >= several.merit) return true;
  leaf.split = std::move(several);
  if (!leaf.split.weights.empty()) leaf.split.set_default_branch();
  return true;
}

// Leaves that only a split into more than two could divide.
void Grower::pass_over_unsplittable() {
  for (auto it = frontier_.begin(); it != frontier_.end();)
    it = (*it)->split.found() ? std::next(it) : frontier_.erase(it);
}

// A split that drops less will never be made: as many leaves as there is room for surely drop as much, and each
// of them comes first. That stays true when they are split, for room goes with them. 0: nothing is known.
double Grower::least_drop() const {
  const auto most = static_cast<std::size_t>(room());
  if (!rules_.only_largest_drops() || rules_.max_leaves > most_leaves_ranked || frontier_.size() < most)
    return 0;
  std::vector<double> sure;
  for (const LeafPtr& leaf : frontier_) sure.push_back(leaf->sure);
  const auto least = sure.begin() + static_cast<std::ptrdiff_t>(most) - 1;
  std::nth_element(sure.begin(), least, sure.end(), std::greater<>());
  return *least;
}

// The leaf whose turn it is and those that follow as far as can be foreseen (children of leaves that have been
// expanded ahead count as well), as far as they are not under way yet.
std::vector<Expansion> Grower::next_leaves() const {
  Leaf* first = frontier_.begin()->get();
  std::vector<Expansion> chosen;
  const double least = least_drop();
  const auto choose = [&](Leaf* leaf, bool more_to_come) {
    chosen.push_back({leaf, more_to_come, leaf->undecided, 0, least});
  };
  // One that was decided and not divided at once waits for its turn.
  const auto waits = [](const Leaf& leaf, LeafState state) {
    return state == (leaf.undecided ? LeafState::open : LeafState::idle);
  };
  if (waits(*first, first->state)) choose(first, room() != (first->undecided ? 1 : first->split.arity - 1));
  if (multiway()) return chosen;
  const Lookahead ahead = store_.lookahead(room(), rules_.max_leaves > 0);
  const auto later = [](const Leaf* a, const Leaf* b) { return a->hoped < b->hoped; };
  std::priority_queue<Leaf*, std::vector<Leaf*>, decltype(later)> below(later);
  auto at = frontier_.begin();
  double work = 0;
  const std::int64_t splits = rules_.max_leaves ? std::min(ahead.splits, room()) : ahead.splits;
  for (std::int64_t i = 0; i < splits && static_cast<std::int64_t>(chosen.size()) < ahead.leaves; ++i) {
    if (at == frontier_.end() && below.empty()) break;
    Leaf* leaf = nullptr;
    if (below.empty() || (at != frontier_.end() && (*at)->hoped >= below.top()->hoped)) {
      leaf = (at++)->get();
    } else {
      leaf = below.top();
      below.pop();
    }
    const LeafState state = leaf->state.load(std::memory_order_acquire);
    if (state == LeafState::expanded)
      for (const LeafPtr& child : leaf->children)
        if (child->undecided || child->split.found()) below.push(child.get());
    if (!waits(*leaf, state) || leaf == first || leaf->rows < ahead.least_rows) continue;
    if (work + static_cast<double>(leaf->rows) > ahead.work) continue;
    work += static_cast<double>(leaf->rows);
    choose(leaf, true);
  }
  // What an open leaf must be worth to be divided at once: more than what comes after all these.
  double after = at == frontier_.end() ? 0 : (*at)->hoped;
  if (!below.empty()) after = std::max(after, below.top()->hoped);
  for (Expansion& each : chosen) each.worth = after;
  return chosen;
}

void Grower::expand_some() {
  const std::vector<Expansion> chosen = next_leaves();
  for (const Expansion& each : chosen) each.leaf->state = LeafState::expanding;
  if (!chosen.empty()) store_.expand(chosen);
}

void Grower::expand_next() {
  Leaf& next = **frontier_.begin();
  if (next.state.load(std::memory_order_acquire) == LeafState::expanded) return;
  expand_some();
  store_.wait(next);
}

// The first leaf of the frontier stands there by what could be hoped for: now its best split is sought, and it
// goes to its place.
void Grower::decide_next() {
  Leaf& next = **frontier_.begin();
  if (!is_known(next)) {
    expand_some();
    store_.wait(next);
  }
  auto taken = frontier_.extract(frontier_.begin());
  take_over(*taken.value());
  if (taken.value()->split.found()) frontier_.insert(std::move(taken));
}

void Grower::begin() {
  join(store_.root(rules_.max_leaves != 1), -1);
  note_path();
}

Growth Grower::run(bool open, const std::function<void(std::int64_t)>& each_split) {
  begin();
  bool multiway_before = multiway();
  while (!frontier_.empty() && room() > 0) {
    poll_();
    if (multiway_before && !multiway()) {
      multiway_before = false;
      pass_over_unsplittable();
      continue;
    }
    Leaf& next = **frontier_.begin();
    if (next.undecided) {
      decide_next();
      continue;
    }
    const bool idle = next.state.load(std::memory_order_acquire) == LeafState::idle;
    if (too_wide(next)) {
      frontier_.erase(frontier_.begin());
      continue;
    }
    if (multiway_before && idle && !is_given(next) && !choose_branching(next)) {
      frontier_.erase(frontier_.begin());
      continue;
    }
    expand_next();
    commit();
    if (each_split) each_split(leaves_);
  }
  growth_.tree = tree_.take();
  if (open) return std::move(growth_);
  std::vector<Leaf*> left;
  for (const LeafPtr& leaf : frontier_) left.push_back(leaf.get());
  complete(store_, growth_, left);
  return std::move(growth_);
}

}  // namespace

Growth grow(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll,
            const std::function<void(std::int64_t)>& each_split) {
  return Grower(store, rules, classes, poll).run(false, each_split);
}

Growth grow_open(RowStore& store, const GrowthRules& rules, int classes, const Poll& poll) {
  return Grower(store, rules, classes, poll).run(true, {});
}

void complete(RowStore& store, Growth& growth, std::span<Leaf* const> frontier) {
  store.finish(growth, frontier);
  for (std::size_t k = 0; k < growth.splits.size(); ++k) {
    const Split& split = growth.splits[k];
    const auto at = static_cast<std::size_t>(growth.tree.cut_begin[growth.split_nodes[k]]);
    for (std::size_t i = 0; i < split.cuts.size(); ++i) {
      const Threshold threshold =
          split.given.empty() ? store.threshold(split.column, split.below[i], split.above[i]) : split.given[i];
      growth.tree.thresholds[at + i] = threshold.value;
      growth.tree.integer_thresholds[at + i] = threshold.integer;
    }
  }
}

}  // namespace hardwood
