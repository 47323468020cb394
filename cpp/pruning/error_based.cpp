#include "pruning/error_based.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace hardwood {

namespace {

constexpr double margin = 0.1;  // errors that C4.5 pays for a smaller tree
constexpr std::size_t first_rows = 128;  // sent down a branch before asking whether it is in vain

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

ErrorBasedPruning::ErrorBasedPruning(const TreeView& tree, RowTurns& turns, const TrainingRows& rows,
                                     std::vector<double> class_weights, std::vector<double> share,
                                     std::vector<std::int64_t> row_counts, int classes,
                                     PessimisticError estimate)
    : tree_(tree),
      turns_(turns),
      rows_(rows),
      classes_(classes),
      estimate_(estimate),
      weights_(std::move(class_weights)),
      share_(std::move(share)),
      row_counts_(std::move(row_counts)),
      split_(tree.nodes),
      parent_(tree.nodes, -1),
      errors_(tree.nodes, 0),
      new_errors_(tree.nodes, 0) {
  for (std::size_t n = 0; n < tree.nodes; ++n) {
    split_[n] = tree.first_child[n] < 0 ? no_split : static_cast<std::int32_t>(n);
    for (std::int32_t j = 0; j < tree.branches[n]; ++j)
      parent_[tree.first_child[n] + j] = static_cast<std::int32_t>(n);
  }
  if (rows.fractional) {
    parts_of_leaf_.resize(tree.nodes);
    return;
  }
  rows_of_leaf_.resize(tree.nodes);
  extra_.assign(tree.nodes * classes, 0);
  extra_rows_.assign(tree.nodes, 0);
  is_touched_.assign(tree.nodes, 0);
}

double ErrorBasedPruning::weight(std::int32_t place) const {
  return sum_of(&weights_[static_cast<std::size_t>(place) * classes_], classes_);
}

double ErrorBasedPruning::errors_as_leaf(std::int32_t place) const {
  const double* weights = &weights_[static_cast<std::size_t>(place) * classes_];
  return estimate_(sum_of(weights, classes_), mistakes(weights, classes_));
}

std::int32_t ErrorBasedPruning::heaviest_child(std::int32_t place) const {
  std::int32_t best = first_child(place);
  double most = weight(best);
  for (std::int32_t j = 1; j < arity(place); ++j) {
    const double other = weight(first_child(place) + j);
    if (other > most) best = first_child(place) + j, most = other;
  }
  return best;
}

std::vector<std::int32_t> ErrorBasedPruning::places_from(std::int32_t place) const {
  std::vector<std::int32_t> found{place};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!is_leaf(found[i]))
      for (std::int32_t j = 0; j < arity(found[i]); ++j) found.push_back(first_child(found[i]) + j);
  return found;
}

// A subtree that makes as many training mistakes as a leaf in its place becomes that leaf.
void ErrorBasedPruning::collapse() {
  std::vector<double> below(tree_.nodes, 0);
  for (std::size_t n = tree_.nodes; n-- > 0;) {
    const auto place = static_cast<std::int32_t>(n);
    const double own = mistakes(&weights_[n * classes_], classes_);
    if (is_leaf(place)) below[n] = own;
    else if (below[n] >= own) split_[n] = no_split;
    if (n) below[parent_[n]] += below[n];
  }
  for (std::size_t n = 1; n < tree_.nodes; ++n)
    if (split_[parent_[n]] < 0) split_[n] = no_place;
}

void ErrorBasedPruning::place_rows() {
  std::vector<std::int32_t> home(tree_.nodes);
  for (std::size_t n = 0; n < tree_.nodes; ++n)
    home[n] = split_[n] == no_place ? home[parent_[n]] : static_cast<std::int32_t>(n);
  for (std::size_t i = 0; i < rows_.count; ++i)
    if (rows_.weights[i] > 0)
      rows_of_leaf_[home[rows_.leaf[i]]].push_back(static_cast<std::uint32_t>(i));
}

void ErrorBasedPruning::run(const Poll& poll) {
  collapse();
  if (rows_.fractional) place_parts();
  else place_rows();
  for (std::size_t n = tree_.nodes; n-- > 0;) {
    if (split_[n] != no_place) to_visit_.push(static_cast<std::int32_t>(n));
    while (!to_visit_.empty()) {
      const std::int32_t place = to_visit_.top();
      to_visit_.pop();
      visit(place);
      poll();
    }
  }
}

// The places below were visited before. Raising sends this place and all that changed back to be visited.
void ErrorBasedPruning::visit(std::int32_t place) {
  if (split_[place] == no_place) return;
  const double as_leaf = errors_as_leaf(place);
  errors_[place] = as_leaf;
  if (is_leaf(place)) return;
  double as_tree = 0;
  for (std::int32_t j = 0; j < arity(place); ++j) as_tree += errors_[first_child(place) + j];
  if (is_leaf(heaviest_child(place))) {
    // Raised, it would make this place the leaf that it is compared with.
    if (as_leaf <= as_tree + margin) make_leaf(place);
    else errors_[place] = as_tree;
    return;
  }
  Raising raising = rows_.fractional ? try_raising_parts(place) : try_raising(place, as_tree + margin);
  if (as_leaf <= as_tree + margin && as_leaf <= raising.errors + margin) make_leaf(place);
  else if (raising.errors > as_tree + margin) errors_[place] = as_tree;
  else if (rows_.fractional) raise_parts(place, raising);
  else raise(place, raising);
  forget(raising);
}

void ErrorBasedPruning::make_leaf(std::int32_t place) {
  if (rows_.fractional) parts_of_leaf_[place] = parts_at(place);
  std::vector<std::int32_t> below = places_from(place);
  for (std::size_t i = 1; i < below.size(); ++i) {
    if (rows_.fractional) {
      std::vector<Part>().swap(parts_of_leaf_[below[i]]);
    } else if (is_leaf(below[i])) {
      std::vector<std::uint32_t>& from = rows_of_leaf_[below[i]];
      std::vector<std::uint32_t>& to = rows_of_leaf_[place];
      to.insert(to.end(), from.begin(), from.end());
      std::vector<std::uint32_t>().swap(from);
    }
    split_[below[i]] = no_place;
  }
  split_[place] = no_split;
}

ErrorBasedPruning::Raising ErrorBasedPruning::try_raising(std::int32_t place, double most) {
  Raising raising;
  raising.heaviest = heaviest_child(place);
  for (std::int32_t j = 0; j < arity(place); ++j) {
    const std::int32_t child = first_child(place) + j;
    if (child == raising.heaviest) continue;
    for (std::int32_t below : places_from(child))
      if (is_leaf(below))
        raising.rows.insert(raising.rows.end(), rows_of_leaf_[below].begin(), rows_of_leaf_[below].end());
  }
  raising.to.reserve(raising.rows.size());
  for (std::size_t sent = 0, more = first_rows; sent < raising.rows.size(); sent += more, more = sent) {
    more = std::min(more, raising.rows.size() - sent);
    send_rows(raising, place, more);
    // Where estimates never fall when rows are added, some rows can already show that it is in vain.
    if (estimate_.never_falls() && sent + more < raising.rows.size() &&
        errors_so_far(raising) > most * (1 + 1e-9) + 1e-6) {
      raising.errors = std::numeric_limits<double>::infinity();
      return raising;
    }
  }
  estimate_touched(raising);
  return raising;
}

void ErrorBasedPruning::send_rows(Raising& raising, std::int32_t place, std::size_t more) {
  const std::size_t sent = raising.to.size();
  for (std::size_t i = sent; i < sent + more; ++i) {
    const std::uint32_t row = raising.rows[i];
    std::int32_t at = raising.heaviest;
    while (!is_leaf(at)) {
      const std::int32_t split = split_[at];
      const Turn turn = turns_.turn(split, row);
      if (turn.missing && !turns_.habits(split).missing_seen) raising.missing.insert(split);
      if (turn.unseen >= 0) raising.unseen.emplace(split, turn.unseen);
      at = tree_.first_child[split] + turn.branch;
    }
    raising.to.push_back(at);
    extra_[static_cast<std::size_t>(at) * classes_ + rows_.labels[row]] += rows_.weights[row];
    ++extra_rows_[at];
    for (std::int32_t up = at; up != place && !is_touched_[up]; up = parent_[up]) {
      is_touched_[up] = 1;
      raising.touched.push_back(up);
    }
  }
}

double ErrorBasedPruning::errors_with_extra(std::int32_t leaf) const {
  const std::size_t first = static_cast<std::size_t>(leaf) * classes_;
  double total = 0, largest = 0;
  for (std::size_t k = first; k < first + classes_; ++k) {
    total += weights_[k] + extra_[k];
    largest = std::max(largest, weights_[k] + extra_[k]);
  }
  return estimate_(total, total - largest);
}

double ErrorBasedPruning::errors_so_far(const Raising& raising) const {
  double errors = errors_[raising.heaviest];
  for (std::int32_t at : raising.touched)
    if (is_leaf(at)) errors += errors_with_extra(at) - errors_[at];
  return errors;
}

// Adds up what the touched places would gain, from the leaves to the heaviest branch, and their errors.
void ErrorBasedPruning::estimate_touched(Raising& raising) {
  std::sort(raising.touched.begin(), raising.touched.end(), std::greater<>());
  for (std::int32_t at : raising.touched) {
    double* extra = &extra_[static_cast<std::size_t>(at) * classes_];
    if (is_leaf(at)) {
      new_errors_[at] = errors_with_extra(at);
      continue;
    }
    new_errors_[at] = 0;
    for (std::int32_t j = 0; j < arity(at); ++j) {
      const std::int32_t child = first_child(at) + j;
      new_errors_[at] += is_touched_[child] ? new_errors_[child] : errors_[child];
      for (int c = 0; c < classes_; ++c) extra[c] += extra_[static_cast<std::size_t>(child) * classes_ + c];
      extra_rows_[at] += extra_rows_[child];
    }
  }
  raising.errors = is_touched_[raising.heaviest] ? new_errors_[raising.heaviest] : errors_[raising.heaviest];
}

// The heaviest branch's split is asked here, and the lighter branches are gone.
void ErrorBasedPruning::take_over(std::int32_t place, const Raising& raising) {
  for (std::int32_t j = 0; j < arity(place); ++j) {
    const std::int32_t child = first_child(place) + j;
    if (child == raising.heaviest) continue;
    for (std::int32_t below : places_from(child)) {
      if (rows_.fractional) std::vector<Part>().swap(parts_of_leaf_[below]);
      else std::vector<std::uint32_t>().swap(rows_of_leaf_[below]);
      split_[below] = no_place;
    }
  }
  split_[place] = split_[raising.heaviest];
  split_[raising.heaviest] = no_place;
  for (std::int32_t j = 0; j < arity(place); ++j) parent_[first_child(place) + j] = place;
  for (std::int32_t split : raising.missing) turns_.habits(split).missing_seen = true;
  for (const auto& [split, code] : raising.unseen)
    turns_.habits(split).added.emplace(code, turns_.habits(split).default_branch);
}

void ErrorBasedPruning::raise(std::int32_t place, const Raising& raising) {
  for (std::size_t i = 0; i < raising.rows.size(); ++i)
    rows_of_leaf_[raising.to[i]].push_back(raising.rows[i]);
  take_over(place, raising);
  for (std::int32_t at : raising.touched) {
    if (at == raising.heaviest) continue;
    for (int c = 0; c < classes_; ++c) {
      const std::size_t k = static_cast<std::size_t>(at) * classes_ + c;
      weights_[k] += extra_[k];
    }
    row_counts_[at] += extra_rows_[at];
    if (!is_leaf(at)) set_habits(at);
    to_visit_.push(at);
  }
  set_habits(place);
  to_visit_.push(place);
}

// The heaviest branch takes what was never seen. Children have larger numbers, so theirs are up to date.
void ErrorBasedPruning::set_habits(std::int32_t place) {
  Habits& habits = turns_.habits(split_[place]);
  habits.default_branch = heaviest_child(place) - first_child(place);
  if (!habits.missing_seen) habits.missing_branch = habits.default_branch;
}

void ErrorBasedPruning::forget(Raising& raising) {
  for (std::int32_t at : raising.touched) {
    std::fill_n(&extra_[static_cast<std::size_t>(at) * classes_], classes_, 0.0);
    extra_rows_[at] = 0;
    is_touched_[at] = 0;
  }
}

}  // namespace hardwood
