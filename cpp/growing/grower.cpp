#include "growing/grower.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <type_traits>

#include "growing/exact_sum.hpp"
#include "growing/leaf.hpp"
#include "growing/tree_builder.hpp"

namespace hardwood {

namespace {

constexpr std::uint32_t shared_rows = 1 << 12;  // smaller nodes are not shared out among threads

// The loop over leaves. Expanding a leaf (dividing its rows, finding the best splits of its children) does
// not depend on the other leaves, so threads expand leaves ahead of their turn; splits are committed to
// the tree strictly in order, and the tree is the same for any number of threads.
template <class Cell>
class Grower {
 public:
  Grower(Workspace<Cell>& workspace, const GrowthRules& rules, std::vector<std::uint32_t>& rows, Pool& pool,
         const Poll& poll)
      : workspace_(workspace), builder_(workspace.builder), problem_(builder_.problem()), rules_(rules),
        rows_(rows), pool_(pool), poll_(poll), tree_(problem_) {
    if (workspace.scratch.size() < rows.size()) workspace.scratch.resize(rows.size());
    for (std::size_t c = 0; c < problem_.table->columns.size(); ++c)
      columns_ += !rules.allowed || (*rules.allowed)[c] ? 1 : 0;
  }
  ~Grower() { wait_for_expansions(); }

  Growth run(const NodeRows& root);

 private:
  using LeafPtr = std::unique_ptr<Leaf<Cell>>;
  struct Earlier {
    bool operator()(const LeafPtr& a, const LeafPtr& b) const {
      return a->priority != b->priority ? a->priority > b->priority : a->node < b->node;
    }
  };

  void set_totals(Leaf<Cell>& leaf, const std::vector<double>& weights) const;
  bool may_split(const Leaf<Cell>& leaf) const;
  NodeView<Cell> view_of(const Leaf<Cell>& leaf) const;
  Candidate search(Leaf<Cell>& leaf);
  void find_split(Leaf<Cell>& leaf);
  bool choose_branching(Leaf<Cell>& leaf);
  void search_wide(Leaf<Cell>& leaf, std::int64_t widest);
  void pass_over_unsplittable();
  void make_children(Leaf<Cell>& leaf);
  void give_histograms(Leaf<Cell>& parent, const std::vector<char>& needs);
  void expand(Leaf<Cell>& leaf, bool more_to_come);
  void launch();
  void commit();
  void join(LeafPtr leaf, std::int32_t parent);
  void wait_for_expansions();
  void restore_order();
  // Splits of more than two branches are acceptable; once they are not, they never are again.
  bool wide() const { return rules_.prices && rules_.prices->widest(leaves_) > 2; }
  bool by_histograms() const {
    return rules_.search == GrowthRules::Search::histograms || rules_.search == GrowthRules::Search::bounded;
  }
  std::int64_t room() const { return rules_.max_leaves ? rules_.max_leaves - leaves_ : leaves_ + 1; }

  Workspace<Cell>& workspace_;
  HistogramBuilder<Cell>& builder_;
  const Problem& problem_;
  const GrowthRules& rules_;
  std::vector<std::uint32_t>& rows_;
  Pool& pool_;
  const Poll& poll_;
  TreeBuilder tree_;
  std::int64_t columns_ = 0;  // that the tree may use
  double root_weight_ = 0;
  SideWeights sides_;  // set by the root's search, then only read

  std::set<LeafPtr, Earlier> frontier_;  // leaves that have a split
  std::int64_t leaves_ = 0;
  Growth growth_;
  ExactSum potential_;
  double error_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  int expanding_ = 0;
  std::atomic<bool> stopping_{false};
  std::exception_ptr failure_;
};

double error_weight(const NodeTotals& totals) {
  double largest = 0;
  for (int c = 0; c < totals.classes; ++c) largest = std::max(largest, totals.total[c]);
  return totals.weight - largest;
}

// `weights` are those of the classes present, in order.
template <class Cell>
void Grower<Cell>::set_totals(Leaf<Cell>& leaf, const std::vector<double>& weights) const {
  NodeTotals& totals = leaf.totals;
  totals.criterion = problem_.criterion;
  totals.limits = rules_.limits;
  totals.classes = static_cast<int>(leaf.rows.classes.size());
  totals.total = weights;
  totals.weight = 0;
  for (double weight : weights) totals.weight += weight;
  totals.cost =
      with_criterion(problem_.criterion, [&]<Criterion K>() { return phi<K>(weights.data(), totals.classes); });
  if (!problem_.examples) return;
  double examples = 0;
  for (std::uint32_t i = leaf.rows.begin; i < leaf.rows.end; ++i)
    examples += static_cast<double>(problem_.examples[rows_[i]]);
  totals.total.push_back(examples);
}

template <class Cell>
bool Grower<Cell>::may_split(const Leaf<Cell>& leaf) const {
  const NodeTotals& totals = leaf.totals;
  if (totals.classes < 2) return false;
  if (rules_.max_depth && leaf.depth >= rules_.max_depth) return false;
  if (totals.weight < 2 * rules_.limits.min_weight) return false;
  return !problem_.examples || totals.total.back() >= 2 * rules_.limits.min_examples;
}

template <class Cell>
NodeView<Cell> Grower<Cell>::view_of(const Leaf<Cell>& leaf) const {
  NodeView<Cell> view{problem_, builder_.layout(), leaf.rows, rows_.data(), leaf.histogram.get(), leaf.totals,
                      {}};
  for (int channel : builder_.channels(leaf.rows))
    view.channel_offset.push_back(channel * builder_.layout().total);
  return view;
}

// From the leaf's histogram, or from its heaviest rows.
template <class Cell>
Candidate Grower<Cell>::search(Leaf<Cell>& leaf) {
  if constexpr (std::is_same_v<Cell, PrunedSearch::Cell>) {
    const auto use = [&](auto& lender, auto&&... arguments) {
      auto search = lender.take();
      auto cells = builder_.borrow();
      auto result = search->run(arguments..., problem_, builder_.layout(), leaf.rows, rows_.data(), cells.get(),
                                leaf.totals, rules_.allowed);
      builder_.release(std::move(cells));
      lender.give_back(std::move(search));
      leaf.assessments = result.assessments;
      return std::move(result.split);
    };
    if (rules_.search == GrowthRules::Search::pruned) return use(workspace_.pruned_searches);
    if (rules_.search == GrowthRules::Search::race) return use(workspace_.races, rules_.race);
  }
  auto search = workspace_.searches.take();
  Candidate split = rules_.search == GrowthRules::Search::bounded
                        ? search->run(view_of(leaf), rules_.allowed, sides_)
                        : search->run(view_of(leaf), rules_.allowed);
  leaf.exact = search->exact();
  leaf.assessments = columns_ * leaf.rows.size();
  workspace_.searches.give_back(std::move(search));
  return split;
}

// Finds the leaf's best split and keeps its histogram only where it will be used.
template <class Cell>
void Grower<Cell>::find_split(Leaf<Cell>& leaf) {
  Candidate split = search(leaf);
  leaf.searched = true;
  if (split.found()) {
    leaf.drop = std::max(0.0, leaf.totals.cost - split.cost);
    if (leaf.drop / root_weight_ >= rules_.min_drop) leaf.split = std::move(split);
    if (rules_.leaf_choice == LeafChoice::drop) leaf.priority = leaf.drop;
  }
  if (rules_.leaf_choice == LeafChoice::weight) leaf.priority = leaf.totals.cost;
  if (!leaf.split.found() || !builder_.worth_keeping(leaf.rows)) builder_.release(std::move(leaf.histogram));
}

// The best of the acceptable functions, now that it is the leaf's turn; false when there is none.
template <class Cell>
bool Grower<Cell>::choose_branching(Leaf<Cell>& leaf) {
  search_wide(leaf, rules_.prices->widest(leaves_));
  if (!leaf.split.found()) return leaf.wide.found();
  // A split in two has price 1 and comes first on a tie.
  if (leaf.wide.found() && leaf.totals.cost - leaf.split.cost >= leaf.wide.merit) leaf.wide = {};
  return true;
}

template <class Cell>
void Grower<Cell>::search_wide(Leaf<Cell>& leaf, std::int64_t widest) {
  std::vector<double> prices(widest + 1, 0.0);
  for (std::int64_t k = 2; k <= widest; ++k) prices[k] = rules_.prices->price(k);
  const double binary = leaf.split.found() ? leaf.totals.cost - leaf.split.cost : 0.0;
  const WideRequest request{leaf.totals, prices, rules_.min_drop, root_weight_, binary};
  if (!leaf.histogram) leaf.histogram = builder_.build(leaf.rows, rows_.data(), pool_);
  const NodeView<Cell> view = view_of(leaf);
  const EncodedTable& table = *problem_.table;
  const std::size_t lanes = table.lanes.size();
  std::vector<Branching> found(lanes + 1);
  std::vector<char> exact(lanes + 1, 1);
  pool_.parallel_for(lanes + 1, [&](std::size_t l) {
    auto search = workspace_.searches.take();
    auto wide = workspace_.wide_searches.take();
    wide->begin();
    const auto visit = [&](std::uint32_t c, const Groups& groups) {
      wide->try_column(request, table.columns[c], c, groups);
    };
    if (l < lanes) search->visit_lane(view, static_cast<std::uint32_t>(l), visit);
    else search->visit_entries(view, visit);
    found[l] = wide->best();
    exact[l] = wide->exact();
    workspace_.wide_searches.give_back(std::move(wide));
    workspace_.searches.give_back(std::move(search));
  });
  for (std::size_t l = 0; l <= lanes; ++l) {
    if (found[l].found() && precedes(found[l], leaf.wide)) leaf.wide = std::move(found[l]);
    leaf.exact = leaf.exact && exact[l];
  }
}

// Leaves that only a branching into more than two could split.
template <class Cell>
void Grower<Cell>::pass_over_unsplittable() {
  for (auto it = frontier_.begin(); it != frontier_.end();)
    it = (*it)->split.found() ? std::next(it) : frontier_.erase(it);
}

// Histograms of the children that need one: the largest child's is what the others leave of the parent's.
template <class Cell>
void Grower<Cell>::give_histograms(Leaf<Cell>& parent, const std::vector<char>& needs) {
  auto& children = parent.children;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < children.size(); ++i)
    if (children[i]->rows.size() >= children[largest]->rows.size()) largest = i;
  const bool by_subtraction = needs[largest] && parent.histogram;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (i != largest ? needs[i] || by_subtraction : needs[i] && !by_subtraction)
      children[i]->histogram = builder_.build(children[i]->rows, rows_.data(), pool_);
  if (by_subtraction) {
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == largest) continue;
      builder_.subtract(children[i]->rows, children[i]->histogram.get(), parent.histogram.get());
      if (!needs[i]) builder_.release(std::move(children[i]->histogram));
    }
    children[largest]->histogram = std::move(parent.histogram);
  }
  builder_.release(std::move(parent.histogram));
}

// Divides the leaf's rows; class weights of the children follow from the split.
template <class Cell>
void Grower<Cell>::make_children(Leaf<Cell>& leaf) {
  const std::size_t classes = leaf.rows.classes.size();
  const auto add_child = [&](NodeRows rows, auto weight_of) {
    auto child = std::make_unique<Leaf<Cell>>();
    child->rows = std::move(rows);
    child->depth = leaf.depth + 1;
    std::vector<double> weights;
    for (std::size_t k = 0; k < classes; ++k)
      if (const double weight = weight_of(k); weight > 0) weights.push_back(weight);
    set_totals(*child, weights);
    leaf.children.push_back(std::move(child));
  };
  if (leaf.wide.found()) {
    auto parts = divide(problem_, leaf.rows, leaf.wide, rows_.data(), workspace_.scratch.data());
    for (std::size_t b = 0; b < parts.size(); ++b)
      add_child(std::move(parts[b]), [&](std::size_t k) { return leaf.wide.weights[b * classes + k]; });
    return;
  }
  leaf.division = divide(problem_, leaf.rows, leaf.split, false, rows_.data(), workspace_.scratch.data());
  const auto& left = leaf.split.left_weights;
  add_child(leaf.division.left, [&](std::size_t k) { return left[k]; });
  add_child(leaf.division.right, [&](std::size_t k) { return leaf.totals.total[k] - left[k]; });
}

template <class Cell>
void Grower<Cell>::expand(Leaf<Cell>& leaf, bool more_to_come) {
  make_children(leaf);
  std::vector<char> needs;
  for (const auto& child : leaf.children) needs.push_back(more_to_come && may_split(*child));
  if (by_histograms()) give_histograms(leaf, needs);
  const auto search_child = [&](std::size_t i) {
    if (needs[i]) find_split(*leaf.children[i]);
  };
  if (leaf.rows.size() >= shared_rows) pool_.parallel_for(leaf.children.size(), search_child);
  else
    for (std::size_t i = 0; i < leaf.children.size(); ++i) search_child(i);
}

// Starts expanding the leaves whose turn is next, as many as keep the threads busy.
template <class Cell>
void Grower<Cell>::launch() {
  // While wide splits are acceptable a leaf's own is known at its turn only.
  const int ahead = pool_.size() == 1 || wide() ? 1 : 2 * pool_.size();
  std::int64_t place = 0;
  for (auto it = frontier_.begin(); it != frontier_.end() && place < ahead && place < room(); ++it, ++place) {
    Leaf<Cell>* leaf = it->get();
    if (leaf->state != LeafState::idle) continue;
    leaf->state = LeafState::expanding;
    const bool more_to_come = !(place == 0 && room() == std::max(leaf->wide.arity, 2) - 1);
    {
      std::lock_guard lock(mutex_);
      ++expanding_;
    }
    pool_.submit([this, leaf, more_to_come] {
      std::exception_ptr caught;
      try {
        if (!stopping_) expand(*leaf, more_to_come);
      } catch (...) {
        caught = std::current_exception();
      }
      std::lock_guard lock(mutex_);
      if (caught && !failure_) failure_ = caught;
      leaf->state = LeafState::expanded;
      --expanding_;
      changed_.notify_all();
    });
  }
}

// A leaf joins the tree.
template <class Cell>
void Grower<Cell>::join(LeafPtr leaf, std::int32_t parent) {
  leaf->node = tree_.add_leaf(parent, leaf->depth, leaf->rows, leaf->totals);
  growth_.node_rows.push_back(leaf->rows);
  growth_.splits.emplace_back();
  growth_.assessments += leaf->assessments;
  if (leaf->searched) growth_.exhaustive_assessments += columns_ * leaf->rows.size();
  ++leaves_;
  potential_.add(leaf->totals.cost);
  error_ += error_weight(leaf->totals);
  if (leaf->split.found() || (leaf->searched && wide())) frontier_.insert(std::move(leaf));
}

// Splits the first leaf of the frontier, which has been expanded.
template <class Cell>
void Grower<Cell>::commit() {
  auto taken = frontier_.extract(frontier_.begin());
  Leaf<Cell>& leaf = *taken.value();
  if (leaf.wide.found()) tree_.split(leaf.node, leaf.wide);
  else tree_.split(leaf.node, leaf.split, leaf.division, leaf.totals);
  --leaves_;
  potential_.take(leaf.totals.cost);
  error_ -= error_weight(leaf.totals);
  for (auto& child : leaf.children) join(std::move(child), leaf.node);
  growth_.split_nodes.push_back(leaf.node);
  growth_.exact.push_back(leaf.exact ? 1 : 0);
  if (!leaf.wide.found()) growth_.splits[leaf.node] = std::move(leaf.split);
  growth_.potential.push_back(potential_.value());
  growth_.error.push_back(error_);
}

template <class Cell>
void Grower<Cell>::wait_for_expansions() {
  stopping_ = true;
  for (;;) {
    if (pool_.run_one()) continue;
    std::unique_lock lock(mutex_);
    if (expanding_ == 0) return;
    changed_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

// Leaves that were expanded ahead of a turn that never came: their rows go back into the order by class.
template <class Cell>
void Grower<Cell>::restore_order() {
  for (const LeafPtr& leaf : frontier_) {
    if (leaf->state != LeafState::expanded || leaf->children.empty()) continue;
    std::uint32_t* to = workspace_.scratch.data() + leaf->rows.begin;
    for (const ClassRows& part : leaf->rows.classes)
      for (const auto& child : leaf->children)
        for (const ClassRows& piece : child->rows.classes)
          if (piece.label == part.label)
            to = std::copy(rows_.data() + piece.begin, rows_.data() + piece.end, to);
    std::copy(workspace_.scratch.data() + leaf->rows.begin, to, rows_.data() + leaf->rows.begin);
  }
}

template <class Cell>
Growth Grower<Cell>::run(const NodeRows& root) {
  auto first = std::make_unique<Leaf<Cell>>();
  first->rows = root;
  std::vector<double> weights;
  for (const ClassRows& part : root.classes) {
    std::int64_t weight = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i) weight += problem_.weight(rows_[i]);
    weights.push_back(static_cast<double>(weight));
  }
  set_totals(*first, weights);
  root_weight_ = first->totals.weight;
  if (rules_.max_leaves != 1 && may_split(*first)) {
    if (by_histograms()) first->histogram = builder_.build(root, rows_.data(), pool_);
    poll_();
    find_split(*first);
  }
  join(std::move(first), -1);
  growth_.potential.push_back(potential_.value());
  growth_.error.push_back(error_);

  bool wide_before = wide();
  while (!frontier_.empty() && room() > 0) {
    poll_();
    if (wide_before && !wide()) {
      wide_before = false;
      pass_over_unsplittable();
      continue;
    }
    Leaf<Cell>& next = **frontier_.begin();
    if (wide_before && next.state == LeafState::idle && !choose_branching(next)) {
      frontier_.erase(frontier_.begin());
      continue;
    }
    if ((*frontier_.begin())->state == LeafState::expanded) {
      {
        std::lock_guard lock(mutex_);
        if (failure_) std::rethrow_exception(failure_);
      }
      commit();
      continue;
    }
    launch();
    if (pool_.run_one()) continue;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(50),
                      [&] { return (*frontier_.begin())->state == LeafState::expanded; });
  }
  wait_for_expansions();
  restore_order();
  growth_.tree = tree_.take();
  return std::move(growth_);
}

}  // namespace

template <class Cell>
Growth grow(Workspace<Cell>& workspace, const GrowthRules& rules, const NodeRows& root,
            std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll) {
  return Grower<Cell>(workspace, rules, rows, pool, poll).run(root);
}

template Growth grow<std::uint32_t>(Workspace<std::uint32_t>&, const GrowthRules&, const NodeRows&,
                                    std::vector<std::uint32_t>&, Pool&, const Poll&);
template Growth grow<std::int64_t>(Workspace<std::int64_t>&, const GrowthRules&, const NodeRows&,
                                   std::vector<std::uint32_t>&, Pool&, const Poll&);

}  // namespace hardwood
