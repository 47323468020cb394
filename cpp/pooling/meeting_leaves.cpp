#include "pooling/meeting_leaves.hpp"

#include <algorithm>

namespace hardwood {

namespace {

// Values of one column: of ordered ones the cells between cuts from first to last; of categories a bit per
// code.
struct Values {
  std::int32_t first = 0, last = 0;
  std::vector<std::uint64_t> codes;
  bool missing = true;
  bool categories = false;

  bool empty() const {
    if (missing) return false;
    if (!categories) return first > last;
    return std::all_of(codes.begin(), codes.end(), [](std::uint64_t word) { return word == 0; });
  }
};

class Walk {
 public:
  Walk(const TreeView& tree, std::span<const std::int32_t> rank, std::span<const std::uint8_t> constrained)
      : tree_(tree), rank_(rank), constrained_(constrained), region_(constrained.size()) {
    std::vector<std::size_t> codes(constrained.size(), 0);
    for (std::size_t v = 0; v < tree.nodes; ++v) {
      if (is_leaf(v)) continue;
      Values& own = region_[tree.feature[v]];
      own.last = std::max(own.last, rank[v] + 1);
      own.categories = tree.group_count[v] > 0;
      for (std::int32_t i = 0; i < tree.group_count[v]; ++i)
        codes[tree.feature[v]] = std::max(codes[tree.feature[v]], group_code(v, i) + 1);
    }
    // One code more stands for all that no split lists.
    for (std::size_t c = 0; c < codes.size(); ++c)
      if (region_[c].categories) region_[c].codes.assign(codes[c] / 64 + 1, ~std::uint64_t{0});
  }

  Meetings run(const Poll& poll) && {
    constexpr std::uint32_t often = 1 << 12;  // steps, about 100 microseconds
    std::uint32_t done = 0;
    steps_.push_back({0, none_, none_, none_, {}});
    while (!steps_.empty()) {
      if (++done % often == 0) poll();
      Step step = std::move(steps_.back());
      steps_.pop_back();
      if (step.changed != none_) region_[step.changed] = std::move(step.values);
      if (step.node == none_) continue;
      if (step.above == none_) visit(step.node);
      else meet(step.node, step.above, step.column);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::int32_t none_ = -1;

  // What is still to do, the next last: first a column of the region gets these values. Steps instead of
  // recursion, since a tree can be as deep as it has rows.
  struct Step {
    std::int32_t node;   // none: nothing but to set the values
    std::int32_t above;  // none: the node is visited, not met with another
    std::int32_t column;
    std::int32_t changed;
    Values values;
  };

  bool is_leaf(std::size_t v) const { return tree_.first_child[v] < 0; }
  std::size_t group_code(std::size_t v, std::int32_t i) const {
    return tree_.group_codes[tree_.group_begin[v] + i];
  }

  // Those of the values that take the branch.
  Values restricted(const Values& values, std::size_t v, std::int32_t branch) const {
    Values out = values;
    out.missing = values.missing && tree_.missing_branch[v] == branch;
    if (values.categories) {
      const bool rest = tree_.default_branch[v] == branch;
      if (!rest) std::fill(out.codes.begin(), out.codes.end(), 0);
      for (std::int32_t i = 0; i < tree_.group_count[v]; ++i) {
        const bool here = tree_.group_branches[tree_.group_begin[v] + i] == branch;
        if (here == rest) continue;
        const std::size_t code = group_code(v, i);
        const std::uint64_t bit = std::uint64_t{1} << (code % 64);
        if (here) out.codes[code / 64] |= values.codes[code / 64] & bit;
        else out.codes[code / 64] &= ~bit;
      }
    } else if (rank_[v] >= 0) {
      if (branch == 0) out.last = std::min(out.last, rank_[v]);
      else out.first = std::max(out.first, rank_[v] + 1);
    } else if (branch != 0) {  // missing values against the rest
      out.last = out.first - 1;
    }
    return out;
  }

  // make(child) for each branch that some row of the region takes, done with the region of that branch.
  template <class Make>
  void each_branch(std::int32_t v, Make make) {
    const std::int32_t column = tree_.feature[v];
    steps_.push_back({none_, none_, none_, column, region_[column]});
    for (std::int32_t branch : {1, 0}) {
      Values kept = restricted(region_[column], v, branch);
      if (kept.empty()) continue;
      steps_.push_back(make(tree_.first_child[v] + branch));
      steps_.back().changed = column;
      steps_.back().values = std::move(kept);
    }
  }

  void visit(std::int32_t v) {
    if (is_leaf(v)) return;
    each_branch(v, [](std::int32_t child) { return Step{child, none_, none_, none_, {}}; });
    if (constrained_[tree_.feature[v]] && rank_[v] >= 0)
      steps_.push_back({tree_.first_child[v], tree_.first_child[v] + 1, tree_.feature[v], none_, {}});
  }

  // The leaves of `below` at the upper end of the column and those of `above` at the lower end that a row of
  // the region reaches.
  void meet(std::int32_t below, std::int32_t above, std::int32_t column) {
    const bool first = !is_leaf(below);
    const std::int32_t v = first ? below : above;
    if (is_leaf(v)) {
      found_.add(below, above, column);
      return;
    }
    const auto with = [=](std::int32_t child) {
      return first ? Step{child, above, column, none_, {}} : Step{below, child, column, none_, {}};
    };
    if (tree_.feature[v] != column) each_branch(v, with);
    else steps_.push_back(with(tree_.first_child[v] + (first && rank_[v] >= 0 ? 1 : 0)));  // a row with a value
  }

  const TreeView& tree_;
  std::span<const std::int32_t> rank_;
  std::span<const std::uint8_t> constrained_;
  std::vector<Values> region_;  // per column: the values of the rows that are followed
  std::vector<Step> steps_;
  Meetings found_;
};

}  // namespace

Meetings meeting_leaves(const TreeView& tree, std::span<const std::int32_t> rank,
                        std::span<const std::uint8_t> constrained, const Poll& poll) {
  return Walk(tree, rank, constrained).run(poll);
}

}  // namespace hardwood
