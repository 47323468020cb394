#include "pruning/error_based.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace hardwood {

namespace {

constexpr double margin = 0.1;  // errors that C4.5 pays for a smaller tree

double mistakes(const double* weights, int classes) {
  double total = 0, largest = 0;
  for (int c = 0; c < classes; ++c) {
    total += weights[c];
    largest = std::max(largest, weights[c]);
  }
  return total - largest;
}

double sum_of(const double* weights, int classes) {
  double total = 0;
  for (int c = 0; c < classes; ++c) total += weights[c];
  return total;
}

}  // namespace

ErrorBasedPruning::ErrorBasedPruning(const TreeView& tree, const std::uint8_t* missing_seen, NodeSums sums,
                                     PessimisticError estimate, bool raising, std::vector<Freedom> freedom)
    : surviving_(tree, missing_seen), sums_(std::move(sums)), estimate_(estimate), raising_(raising),
      freedom_(std::move(freedom)), state_(tree.nodes, State::waiting), errors_(tree.nodes, 0),
      new_errors_(tree.nodes, 0), extra_(sums_.weights.size(), 0), extra_rows_(tree.nodes, 0),
      is_touched_(tree.nodes, 0) {
  collapse();
  for (std::size_t n = 0; n < tree.nodes; ++n)
    if (surviving_.is_leaf(static_cast<std::int32_t>(n))) to_visit_.push(static_cast<std::int32_t>(n));
}

double ErrorBasedPruning::errors_as_leaf(std::int32_t node) const {
  const double* weights = &sums_.weights[static_cast<std::size_t>(node) * sums_.classes];
  return estimate_(sum_of(weights, sums_.classes), mistakes(weights, sums_.classes));
}

std::int32_t ErrorBasedPruning::heaviest_child(std::int32_t node) const {
  const auto weight = [&](std::int32_t child) {
    return sum_of(&sums_.weights[static_cast<std::size_t>(child) * sums_.classes], sums_.classes);
  };
  const std::int32_t first = surviving_.first_child(node);
  std::int32_t best = first;
  double most = weight(best);
  for (std::int32_t j = 1; j < surviving_.arity(node); ++j) {
    const double other = weight(first + j);
    if (other > most) best = first + j, most = other;
  }
  return best;
}

void ErrorBasedPruning::collapse() {
  std::vector<double> below(surviving_.nodes(), 0);
  for (std::size_t n = surviving_.nodes(); n-- > 0;) {
    const auto node = static_cast<std::int32_t>(n);
    const double own = mistakes(&sums_.weights[n * sums_.classes], sums_.classes);
    if (surviving_.is_leaf(node)) below[n] = own;
    else if (below[n] >= own && freedom(node) != Freedom::kept) surviving_.make_leaf(node);
    if (n) below[surviving_.parent(node)] += below[n];
  }
}

std::optional<Raising> ErrorBasedPruning::next() {
  while (!to_visit_.empty()) {
    const std::int32_t node = to_visit_.top();
    to_visit_.pop();
    if (surviving_.is_gone(node) || state_[node] != State::waiting) continue;
    if (std::optional<Raising> raising = visit(node)) return raising;
  }
  return std::nullopt;
}

bool ErrorBasedPruning::all_settled_below(std::int32_t node) const {
  for (std::int32_t j = 0; j < surviving_.arity(node); ++j)
    if (state_[surviving_.first_child(node) + j] != State::settled) return false;
  return true;
}

// A node whose children are not all settled is visited again when one of them is.
std::optional<Raising> ErrorBasedPruning::visit(std::int32_t node) {
  if (surviving_.is_leaf(node)) {
    settle(node, errors_as_leaf(node));
    return std::nullopt;
  }
  if (!all_settled_below(node)) return std::nullopt;
  const double as_leaf = errors_as_leaf(node);
  double as_tree = 0;
  for (std::int32_t j = 0; j < surviving_.arity(node); ++j)
    as_tree += errors_[surviving_.first_child(node) + j];
  if (freedom(node) == Freedom::kept) {
    settle(node, as_tree);
    return std::nullopt;
  }
  const std::int32_t heaviest = heaviest_child(node);
  if (!raising_ || surviving_.is_leaf(heaviest) || freedom(node) == Freedom::own_only) {
    // Raised, a leaf would make this node the leaf that it is compared with.
    if (as_leaf <= as_tree + margin) make_leaf(node, as_leaf);
    else settle(node, as_tree);
    return std::nullopt;
  }
  state_[node] = State::tried;
  return Raising{node, heaviest, as_leaf, as_tree, 0, {}, {}};
}

void ErrorBasedPruning::settle(std::int32_t node, double errors) {
  errors_[node] = errors;
  state_[node] = State::settled;
  const std::int32_t above = surviving_.parent(node);
  if (above >= 0 && state_[above] == State::waiting) to_visit_.push(above);
}

void ErrorBasedPruning::visit_again(std::int32_t node) {
  state_[node] = State::waiting;
  to_visit_.push(node);
}

void ErrorBasedPruning::make_leaf(std::int32_t node, double errors) {
  changes_.push_back({node, -1, surviving_.make_leaf(node), {}, {}});
  settle(node, errors);
}

double ErrorBasedPruning::errors_with_extra(std::int32_t leaf) const {
  const std::size_t first = static_cast<std::size_t>(leaf) * sums_.classes;
  double total = 0, largest = 0;
  for (std::size_t k = first; k < first + sums_.classes; ++k) {
    total += sums_.weights[k] + extra_[k];
    largest = std::max(largest, sums_.weights[k] + extra_[k]);
  }
  return estimate_(total, total - largest);
}

bool ErrorBasedPruning::in_vain(const Raising& raising) const {
  if (!can_tell_early()) return false;
  double errors = errors_[raising.heaviest];
  for (std::int32_t at : raising.touched)
    if (surviving_.is_leaf(at)) errors += errors_with_extra(at) - errors_[at];
  return errors > (raising.as_tree + margin) * (1 + 1e-9) + 1e-6;
}

// Adds up what the touched surviving nodes would gain, from the leaves to the heaviest branch, and their
// errors.
void ErrorBasedPruning::estimate_touched(Raising& raising) {
  std::sort(raising.touched.begin(), raising.touched.end(), std::greater<>());
  for (std::int32_t at : raising.touched) {
    if (surviving_.is_leaf(at)) {
      new_errors_[at] = errors_with_extra(at);
      continue;
    }
    double* extra = &extra_[static_cast<std::size_t>(at) * sums_.classes];
    new_errors_[at] = 0;
    for (std::int32_t j = 0; j < surviving_.arity(at); ++j) {
      const std::int32_t child = surviving_.first_child(at) + j;
      const double* more = &extra_[static_cast<std::size_t>(child) * sums_.classes];
      new_errors_[at] += is_touched_[child] ? new_errors_[child] : errors_[child];
      for (int c = 0; c < sums_.classes; ++c) extra[c] += more[c];
      extra_rows_[at] += extra_rows_[child];
    }
  }
  const std::int32_t heaviest = raising.heaviest;
  raising.errors = is_touched_[heaviest] ? new_errors_[heaviest] : errors_[heaviest];
}

Verdict ErrorBasedPruning::verdict(const Raising& raising) const {
  if (raising.as_leaf <= raising.as_tree + margin && raising.as_leaf <= raising.errors + margin)
    return Verdict::leaf;
  return raising.errors > raising.as_tree + margin ? Verdict::keep : Verdict::raise;
}

Verdict ErrorBasedPruning::decide(Raising& raising) {
  estimate_touched(raising);
  const Verdict found = verdict(raising);
  if (found == Verdict::leaf) make_leaf(raising);
  else if (found == Verdict::keep) keep(raising);
  else raise(raising);
  forget(raising);
  return found;
}

void ErrorBasedPruning::give_up(Raising& raising) {
  raising.errors = std::numeric_limits<double>::infinity();
  if (verdict(raising) == Verdict::leaf) make_leaf(raising);
  else keep(raising);
  forget(raising);
}

void ErrorBasedPruning::take_over(const Raising& raising) {
  changes_.push_back({raising.node,
                      raising.heaviest,
                      surviving_.lighter_leaves(raising.node, raising.heaviest),
                      raising.met,
                      {}});
  surviving_.raise(raising.node, raising.heaviest, raising.met);
}

void ErrorBasedPruning::raise(Raising& raising) {
  take_over(raising);
  Change& change = changes_.back();
  for (std::int32_t at : raising.touched) {
    if (at == raising.heaviest) continue;
    for (int c = 0; c < sums_.classes; ++c) {
      const std::size_t k = static_cast<std::size_t>(at) * sums_.classes + c;
      sums_.weights[k] += extra_[k];
    }
    sums_.rows[at] += extra_rows_[at];
    if (!surviving_.is_leaf(at)) set_default(at, change);
    visit_again(at);
  }
  set_default(raising.node, change);
  visit_again(raising.node);
}

// The heaviest branch takes what was never seen. Children have larger numbers, so theirs are up to date.
void ErrorBasedPruning::set_default(std::int32_t node, Change& change) {
  const std::int32_t branch = heaviest_child(node) - surviving_.first_child(node);
  surviving_.set_default(surviving_.split(node), branch);
  change.defaults.emplace_back(surviving_.split(node), branch);
}

void ErrorBasedPruning::forget(Raising& raising) {
  for (std::int32_t at : raising.touched) {
    std::fill_n(&extra_[static_cast<std::size_t>(at) * sums_.classes], sums_.classes, 0.0);
    extra_rows_[at] = 0;
    is_touched_[at] = 0;
  }
  raising.touched.clear();
  raising.met = {};
}

}  // namespace hardwood
