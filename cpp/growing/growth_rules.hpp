// The rules of top-down growth, and what they say about one leaf.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/portable.hpp"
#include "growing/interactions.hpp"
#include "growing/leaf.hpp"
#include "search/multiway/prices.hpp"
#include "search/published/race_rules.hpp"

namespace hardwood {

// A category that holds at least one in so many parts of a node is never rare there. Chosen with the default of
// min_category_size (benchmarks/RESULTS-tree-defaults.md).
constexpr double common_parts = 20;

enum class LeafChoice : std::uint8_t { drop, weight, number };

struct GrowthRules {
  Criterion criterion = Criterion::gini;
  LeafChoice leaf_choice = LeafChoice::drop;
  std::int64_t max_leaves = 0;  // 0: no limit
  std::int32_t max_depth = 0;   // 0: no limit
  double min_drop = 0;          // share of the root's weight
  BranchLimits limits;
  std::int64_t min_category_size = 1;               // in examples: smaller categories are rare
  std::int64_t examples = 0;                        // of the table, where categories can be rare
  Prices* prices = nullptr;                         // null: splits have two branches
  const std::vector<char>* allowed = nullptr;       // per column: may be split on; null: all
  std::shared_ptr<const ConstraintRules> monotone;  // null: no constraints
  std::shared_ptr<const Interactions> interactions;
  const Draft* draft = nullptr;  // null: nothing was decided beforehand
  std::size_t columns = 0;       // of the table, where there is a draft
  // How rows in memory are searched; all but `histograms` need weights. Other stores have one search.
  enum class Search : std::uint8_t {
    histograms,  // every column on every row, a sibling by subtraction
    bounded,     // the same without the columns that the root's sums rule out
    pruned,      // the heaviest rows first (two classes, no limits on branches)
    race,        // as published, see column_race.hpp
  };
  Search search = Search::histograms;
  // What the root may not use, another node may.
  bool opens_columns() const { return draft || (interactions && !interactions->needs.empty()); }
  // The largest drops are split, as many as the budget allows.
  bool only_largest_drops() const {
    return leaf_choice == LeafChoice::drop && max_leaves > 0 && !prices && !draft;
  }
  RaceRules race;
};

// Applied to leaves by every row store alike.
class LeafRules {
 public:
  explicit LeafRules(const GrowthRules& rules) : rules_(rules) {}

  // Class weights per label, in order; examples where they are counted (else negative).
  void set_totals(Leaf& leaf, std::vector<std::int32_t> labels, std::vector<double> weights,
                  double examples) const {
    NodeTotals& totals = leaf.totals;
    totals.criterion = rules_.criterion;
    totals.limits = rules_.limits;
    totals.classes = static_cast<int>(labels.size());
    totals.weight = 0;
    for (double weight : weights) totals.weight += weight;
    totals.rare_below = rare_below(totals.weight);
    totals.cost =
        with_criterion(rules_.criterion, [&]<Criterion K>() { return phi<K>(weights.data(), totals.classes); });
    totals.total = std::move(weights);
    if (examples >= 0) totals.total.push_back(examples);
    leaf.labels = std::move(labels);
  }

  void set_root(Leaf& root) {
    root_weight_ = root.totals.weight;
    if (rules_.monotone) root.totals.constraint = rules_.monotone->root(root.labels, class_weights(root));
    if (rules_.interactions && !rules_.interactions->needs.empty()) root.allowed = allowed_below(root.path);
  }
  double root_weight() const { return root_weight_; }
  void set_root_weight(double weight) { root_weight_ = weight; }

  // Constraints that a branch takes over from its node. Its totals are set before, unless it is fractional.
  void inherit(const Leaf& parent, std::int32_t branch, Leaf& child) const {
    if (parent.totals.constraint)
      child.totals.constraint =
          parent.totals.constraint->branch(parent.split, branch, child.labels, class_weights(child));
    if (!rules_.interactions) return;
    child.path = parent.path;
    child.allowed = parent.allowed;
    const auto at = std::lower_bound(child.path.begin(), child.path.end(), parent.split.column);
    const bool known = at != child.path.end() && *at == parent.split.column;
    if (known && !rules_.draft) return;  // a draft may have said more of the columns of the node above
    if (!known) child.path.insert(at, parent.split.column);
    child.allowed = allowed_below(child.path);
  }
  // What the draft says about a leaf: the root, or the branch of an expanded one.
  void guide_root(Leaf& root) const {
    if (rules_.draft) guide(root, &rules_.draft->front(), nullptr);
  }
  void guide_branch(const Leaf& parent, Leaf& child, std::size_t branch) const {
    if (!rules_.draft) return;
    const Instruction* told = nullptr;
    if (parent.told && parent.told->names_split() && parent.outcome == Outcome::followed) {
      const auto& children = parent.told->children;
      if (branch < children.size() && children[branch] >= 0) told = &(*rules_.draft)[children[branch]];
    }
    guide(child, told, parent.allowed_below);
  }
  // The columns that a leaf may be split on; null: all.
  const std::vector<char>* allowed(const Leaf& leaf) const {
    return leaf.allowed ? leaf.allowed.get() : rules_.allowed;
  }

  bool may_split(const Leaf& leaf) const {
    const NodeTotals& totals = leaf.totals;
    if (totals.classes < 2) return false;
    if (leaf.told && leaf.told->kind == Instruction::Kind::leaf) return false;
    if (is_told(leaf)) return true;
    if (rules_.max_depth && leaf.depth >= rules_.max_depth) return false;
    if (totals.weight < 2 * rules_.limits.min_weight) return false;
    const bool counted = totals.total.size() > static_cast<std::size_t>(totals.classes);
    return !counted || totals.total.back() >= 2 * rules_.limits.min_examples;
  }

  // What the search found becomes the leaf's split where its drop is large enough.
  void settle(Leaf& leaf, Split split) const {
    if (!leaf.undecided) leaf.searched = true;
    if (split.found()) {
      leaf.drop = drop_at(leaf, split.cost);
      if (!split.weights.empty()) split.set_default_branch();
      if (large_enough(leaf.drop) || is_told(leaf)) leaf.split = std::move(split);
      if (rules_.leaf_choice == LeafChoice::drop) leaf.priority = leaf.drop;
    }
    if (rules_.leaf_choice == LeafChoice::weight) leaf.priority = leaf.totals.cost;
    if (is_told(leaf)) leaf.turn = leaf.told->turn;
    if (!leaf.undecided) leaf.hoped = leaf.sure = leaf.priority;
  }

  // Not all was looked at: of what is left no split costs less than `lowest` (rounding apart), and this is the
  // best so far.
  void leave_open(Leaf& leaf, const Split& so_far, double lowest) const {
    constexpr double rounding = 1 - 0x1p-39;
    leaf.undecided = true;
    leaf.state = LeafState::open;
    leaf.hoped = drop_at(leaf, std::min(lowest, so_far.cost) * rounding);
    const double drop = so_far.found() ? drop_at(leaf, so_far.cost) : 0;
    leaf.sure = large_enough(drop) ? drop : 0;
  }

  // No split that costs more drops as much.
  double most_cost(const Leaf& leaf, double least_drop) const {
    if (least_drop <= 0) return impossible;
    constexpr double rounding = 1 + 0x1p-50;
    return (leaf.totals.cost + excess(leaf) - least_drop) * rounding;
  }

  // What was found for the instruction about the leaf's split; where that is nothing, the leaf is free.
  void follow(Leaf& leaf, Split found) const {
    const bool whole = leaf.told->kind == Instruction::Kind::split;
    if (!found.found()) disregard(leaf, whole ? Outcome::empty : Outcome::offers_none);
    else if (found.cost == impossible) disregard(leaf, Outcome::breaks_order);
    else settle(leaf, std::move(found));
  }
  bool is_told(const Leaf& leaf) const {
    return leaf.told && leaf.told->names_split() && leaf.outcome == Outcome::followed;
  }

 private:
  using Mask = std::shared_ptr<const std::vector<char>>;

  // An instruction cannot be followed: the leaf is as if nothing had been said of its split.
  void disregard(Leaf& leaf, Outcome why) const {
    leaf.outcome = why;
    leaf.turn = std::numeric_limits<std::int32_t>::max();
    leaf.allowed = leaf.told_allowed;
  }

  Mask without(const Mask& mask, const std::vector<std::uint32_t>& never) const {
    if (never.empty()) return mask;
    auto out = std::make_shared<std::vector<char>>(mask ? *mask : std::vector<char>(rules_.columns, 1));
    for (std::uint32_t column : never) (*out)[column] = 0;
    return out;
  }

  // By interaction constraints, below splits on these columns.
  Mask allowed_below(const std::vector<std::uint32_t>& path) const {
    std::vector<char> out = rules_.interactions->allowed(path);
    if (rules_.allowed)
      for (std::size_t c = 0; c < out.size(); ++c) out[c] = out[c] && (*rules_.allowed)[c];
    return std::make_shared<const std::vector<char>>(std::move(out));
  }

  static Mask in_both(const Mask& one, const Mask& other) {
    if (!one || !other) return one ? one : other;
    auto out = std::make_shared<std::vector<char>>(*one);
    for (std::size_t c = 0; c < out->size(); ++c) (*out)[c] = (*out)[c] && (*other)[c];
    return out;
  }

  // leaf.allowed holds what interaction constraints allow, and gets what the draft allows of that.
  void guide(Leaf& leaf, const Instruction* told, const Mask& from_above) const {
    const Mask meet = leaf.allowed;
    leaf.told = told;
    leaf.allowed_below = told ? without(from_above, told->never_below) : from_above;
    leaf.told_allowed = in_both(meet, told ? without(leaf.allowed_below, told->never_here) : from_above);
    leaf.allowed = leaf.told_allowed;
    if (!told || !told->names_split()) return;
    if (leaf.totals.classes < 2) leaf.outcome = Outcome::pure;
    if (meet && !(*meet)[told->column]) leaf.outcome = Outcome::kept_apart;
    if (told->kind != Instruction::Kind::column || leaf.outcome == Outcome::kept_apart) return;
    auto only = std::make_shared<std::vector<char>>(rules_.columns, 0);
    (*only)[told->column] = 1;
    leaf.allowed = std::move(only);
  }

  static double excess(const Leaf& leaf) {
    return leaf.totals.constraint ? leaf.totals.constraint->excess() : 0;
  }
  static double drop_at(const Leaf& leaf, double cost) {
    return std::max(0.0, leaf.totals.cost + excess(leaf) - cost);
  }
  bool large_enough(double drop) const { return drop / root_weight_ >= rules_.min_drop; }

  // The least whole weight w that is min_category_size examples, w * examples >= size * weight of the root, or
  // the twentieth part of the node, if that is less.
  double rare_below(double weight) const {
    if (rules_.min_category_size <= 1 || rules_.examples <= 0) return 0;
    const auto root = static_cast<Wide>(root_weight_ > 0 ? root_weight_ : weight);
    const Wide size = (rules_.min_category_size * root + rules_.examples - 1) / rules_.examples;
    return std::min(static_cast<double>(size), std::ceil(weight / common_parts));
  }

  static ClassWeights class_weights(const Leaf& leaf) { return {leaf.totals.total.data(), leaf.labels.size()}; }

  const GrowthRules& rules_;
  double root_weight_ = 0;
};

}  // namespace hardwood
