#include "boosting/booster.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/exact_total.hpp"
#include "data/load.hpp"
#include "data/reorder.hpp"
#include "growing/partition.hpp"

namespace hardwood {

namespace {

constexpr double large_total = 0x1p200;
constexpr std::int64_t heavy_share = 8;  // half of the weight in a row of so many: pruning pays
constexpr std::size_t least_lanes = 16;  // of one column: with fewer, bounds cost more than they save
constexpr std::size_t least_rows = 16384;
constexpr int rounds_between_sorting = 6;
constexpr int rounds_of_rest = 5;
constexpr double paying_share = 0.3;  // of the exhaustive assessments; subtraction spares about half

Problem make_problem(const EncodedTable& table, int classes, Criterion criterion,
                     const std::vector<std::int64_t>& weights, const GivenWeights& given,
                     const BoostingRules& rules) {
  Problem problem;
  problem.table = &table;
  problem.classes = classes;
  problem.criterion = criterion;
  problem.weights = weights.data();
  problem.examples = rules.min_examples > 1 ? given.examples : nullptr;
  return problem;
}

// The largest e with 2^e * total <= 2^52.
int grid_exponent(double total) {
  int exponent = 0;
  const double mantissa = std::frexp(total, &exponent);
  return mantissa == 0.5 ? 53 - exponent : 52 - exponent;
}

// True when rounding the sum could have changed its exponent.
bool near_power_of_two(double total) {
  int exponent = 0;
  const double mantissa = std::frexp(total, &exponent);
  return mantissa < 0.5 + 1e-9 || mantissa > 1 - 1e-9;
}

// The split for rows that it was not made from: their values may lie between the two that the threshold
// separates, so the cut becomes the last code that is not above the threshold.
Candidate split_by_value(const EncodedTable& table, const Tree& tree, std::int32_t node,
                         const Candidate& made) {
  Candidate split = made;
  const EncodedColumn& column = table.columns[made.column];
  split.group = split.next_group = none;
  if (column.kind == ColumnKind::category) return split;
  if (tree.cut_count[node] == 0) {  // missing against the rest: every value goes left
    split.cut = column.values;
    return split;
  }
  const auto at = static_cast<std::size_t>(tree.cut_begin[node]);
  std::size_t left = 0;
  if (column.kind == ColumnKind::numeric) {
    const auto& book = column.codebook;
    left = std::upper_bound(book.begin(), book.end(), tree.thresholds[at]) - book.begin();
  } else {
    const std::uint64_t flip = key_flip(column.kind);
    const auto cut = std::bit_cast<std::uint64_t>(tree.integer_thresholds[at]) ^ flip;
    const auto& book = column.wide_codebook;
    left = std::upper_bound(book.begin(), book.end(), cut,
                            [&](std::uint64_t t, std::uint64_t value) { return t < (value ^ flip); }) -
           book.begin();
  }
  split.cut = left - 1;
  return split;
}

}  // namespace

Booster::Booster(const EncodedTable& table, std::vector<std::int32_t> labels, int classes, Criterion criterion,
                 GivenWeights given, const BoostingRules& rules)
    : given_table_(table), labels_(std::move(labels)), given_(given), rules_(rules),
      factor_(labels_.size(), 1.0), weights_(labels_.size()),
      problem_(make_problem(table, classes, criterion, weights_, given, rules)), workspace_(problem_) {
  total_ = given_total_ = total_of_factors();
  list_by_class();
}

void Booster::list_by_class() {
  by_class_.clear();
  all_ = {};
  for (int c = 0; c < problem_.classes; ++c) {
    const auto begin = static_cast<std::uint32_t>(by_class_.size());
    for (std::size_t i = 0; i < labels_.size(); ++i)
      if (labels_[i] == c) by_class_.push_back(static_cast<std::uint32_t>(i));
    const auto end = static_cast<std::uint32_t>(by_class_.size());
    if (end > begin) all_.classes.push_back({c, begin, end});
  }
  all_.end = static_cast<std::uint32_t>(by_class_.size());
}

// Strands keep the rounding error far below the margin of near_power_of_two.
double Booster::total_of_factors() const {
  constexpr std::size_t strands = 16;
  double sums[strands] = {};
  const std::size_t n = factor_.size();
  std::size_t i = 0;
  if (given_.weights) {
    for (; i + strands <= n; i += strands)
      for (std::size_t k = 0; k < strands; ++k) sums[k] += given_.weights[i + k] * factor_[i + k];
  } else {
    for (; i + strands <= n; i += strands)
      for (std::size_t k = 0; k < strands; ++k) sums[k] += factor_[i + k];
  }
  for (; i < n; ++i) sums[0] += given_weight(i) * factor_[i];
  double sum = 0;
  for (double each : sums) sum += each;
  return sum;
}

// weight x factor -> whole numbers on the round's grid.
void Booster::set_weights() {
  const std::size_t n = factor_.size();
  double total = total_;
  if (total > large_total || total < 1 / large_total) {  // a power of two: nothing is rounded
    const double by = total > large_total ? 1 / large_total : large_total;
    for (double& factor : factor_) factor *= by;
    log_scale_ += std::log(by);
    total = total_ *= by;
  }
  if (near_power_of_two(total)) {
    std::vector<double> products(n);
    for (std::size_t i = 0; i < n; ++i) products[i] = given_weight(i) * factor_[i];
    total = exact_total(products);
  }
  const int exponent = grid_exponent(total);
  const double scale = std::ldexp(1.0, exponent);
  if (!given_.weights) {
    for (std::size_t i = 0; i < n; ++i) weights_[i] = std::llrint(factor_[i] * scale);
  } else if (given_.whole) {
    for (std::size_t i = 0; i < n; ++i)
      weights_[i] = static_cast<std::int64_t>(given_.weights[i]) * std::llrint(factor_[i] * scale);
  } else {
    for (std::size_t i = 0; i < n; ++i) weights_[i] = std::llrint(given_.weights[i] * factor_[i] * scale);
  }
  weight_total_ = 0;
  lightest_ = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t weight : weights_) {
    weight_total_ += weight;
    lightest_ = std::min(lightest_, weight);
  }
}

// Whether a small share of the rows holds half of the weight, so that bounds tell soon who can win.
bool Booster::pruning_pays() {
  if (rules_.search != Search::automatic || problem_.classes != 2) return false;
  if (rules_.min_weight_fraction_leaf > 0 || problem_.examples) return false;
  const auto alone = std::count_if(given_table_.lanes.begin(), given_table_.lanes.end(),
                                   [](const Lane& lane) { return lane.columns.size() == 1; });
  if (static_cast<std::size_t>(alone) < least_lanes || weights_.size() < least_rows) return false;
  if (rounds_without_pruning_ > 0) {
    --rounds_without_pruning_;
    return false;
  }
  std::array<std::int64_t, 64> count{}, weight{};  // by the weight's number of bits
  for (std::int64_t each : weights_) {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(each));
    ++count[bits];
    weight[bits] += each;
  }
  std::int64_t rows = 0, sum = 0;
  for (int bits = 63; bits >= 0 && 2 * sum < weight_total_; --bits) {
    rows += count[bits];
    sum += weight[bits];
  }
  return rows * heavy_share <= static_cast<std::int64_t>(weights_.size());
}

// Puts the rows in decreasing order of weight, so that the heavy ones lie side by side in memory.
void Booster::sort_rows(Pool& pool) {
  const std::size_t n = labels_.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b;
  });
  const auto gather = [&](auto& values) {
    auto moved = values;
    for (std::size_t i = 0; i < n; ++i) moved[i] = values[order[i]];
    values = std::move(moved);
  };
  if (original_.empty()) {
    original_.resize(n);
    std::iota(original_.begin(), original_.end(), 0u);
    if (given_.weights) own_weights_.assign(given_.weights, given_.weights + n);
    if (given_.examples) own_examples_.assign(given_.examples, given_.examples + n);
    table_.rows = given_table_.rows;
    table_.columns = given_table_.columns;
    table_.lanes = given_table_.lanes;
    table_.entry_columns = given_table_.entry_columns;
    table_.entry_cells = given_table_.entry_cells;
  }
  gather(original_);
  gather(labels_);
  gather(factor_);
  gather(weights_);
  if (given_.weights) gather(own_weights_);
  if (given_.examples) gather(own_examples_);
  if (given_.weights) given_.weights = own_weights_.data();
  if (given_.examples) given_.examples = own_examples_.data();
  reorder_rows(given_table_, original_, table_, pool);
  problem_.table = &table_;
  problem_.weights = weights_.data();
  workspace_.builder.set_problem(problem_);
  list_by_class();
  rounds_since_sorting_ = 0;
}

// The weight from which on a row is seen: 1, or more where only the heaviest are.
std::int64_t Booster::least_weight() const {
  if (rules_.weight_fraction == 1) return 1;
  std::vector<std::int64_t> sorted(weights_);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double wanted = rules_.weight_fraction * static_cast<double>(weight_total_);
  std::int64_t sum = 0;
  for (std::int64_t weight : sorted) {
    sum += weight;
    if (static_cast<double>(sum) >= wanted) return std::max<std::int64_t>(weight, 1);
  }
  return 1;
}

// The rows that the tree sees, by class, and those it does not.
Booster::Chosen Booster::choose_rows() const {
  Chosen out;
  const std::int64_t least = least_weight();
  if (least <= lightest_) {
    out.rows = by_class_;
    out.root = all_;
    out.weight = weight_total_;
    return out;
  }
  const auto add = [](NodeRows& node, std::vector<std::uint32_t>& rows, int label, std::uint32_t row) {
    if (node.classes.empty() || node.classes.back().label != label)
      node.classes.push_back({label, node.end, node.end});
    rows.push_back(row);
    node.classes.back().end = ++node.end;
  };
  for (const ClassRows& part : all_.classes)
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
      const std::uint32_t row = by_class_[i];
      if (weights_[row] < least) {
        add(out.absent_root, out.absent, part.label, row);
        continue;
      }
      add(out.root, out.rows, part.label, row);
      out.weight += weights_[row];
    }
  return out;
}

// Leaf values, error and weight of a grown tree; `absent` are the leaves of the rows it did not see.
void Booster::score(Round& round, const std::vector<LeafRows>& absent,
                    const std::vector<std::uint32_t>& absent_rows) const {
  const Tree& tree = round.growth.tree;
  const int classes = problem_.classes;
  round.value.assign(tree.size(), 0.0);
  std::vector<int> label(tree.size(), 0);
  double mistakes = 0;
  for (std::size_t n = 0; n < tree.size(); ++n) {
    if (tree.kind[n] != leaf_node) continue;
    const double* w = tree.class_weights.data() + n * classes;
    label[n] = static_cast<int>(std::max_element(w, w + classes) - w);
    double all = 0;
    for (int c = 0; c < classes; ++c) all += w[c];
    mistakes += all - w[label[n]];
    round.value[n] = leaf_value(rules_.variant, rules_.leaf_ratio_cap, classes, w);
  }
  for (const auto& [node, rows] : absent)
    for (const ClassRows& part : rows.classes)
      if (part.label != label[node])
        for (std::uint32_t i = part.begin; i < part.end; ++i)
          mistakes += static_cast<double>(weights_[absent_rows[i]]);
  const auto weight = static_cast<double>(weight_total_);
  round.error = mistakes / weight;
  round.stop = stop_after(mistakes, weight, classes);
  if (tree.size() == 1 && classes == 2 && round.value[0] == 0 && mistakes > 0) round.stop = Stop::chance;
  round.tree_weight = tree_weight(rules_.variant, rules_.learning_rate, classes, mistakes, weight);
}

void Booster::multiply(const LeafFactors& factors, const NodeRows& node,
                       const std::vector<std::uint32_t>& rows) {
  for (const ClassRows& part : node.classes) {
    const double by = part.label == factors.label ? factors.same : factors.other;
    if (by == 1) continue;
    for (std::uint32_t i = part.begin; i < part.end; ++i) factor_[rows[i]] *= by;
  }
}

void Booster::update(const Round& round, const std::vector<std::uint32_t>& rows) {
  const Tree& tree = round.growth.tree;
  for (std::size_t n = 0; n < tree.size(); ++n)
    if (tree.kind[n] == leaf_node)
      multiply(factors(round, static_cast<std::int32_t>(n)), round.growth.node_rows[n], rows);
}

// Rows that the tree did not see go down its splits now; they are reordered, and each leaf's are told.
std::vector<Booster::LeafRows> Booster::route_absent(const Growth& growth, std::vector<std::uint32_t>& rows,
                                                     const NodeRows& root) {
  std::vector<LeafRows> leaves;
  if (root.size() == 0) return leaves;
  const Tree& tree = growth.tree;
  if (workspace_.scratch.size() < rows.size()) workspace_.scratch.resize(rows.size());
  std::vector<LeafRows> open{{0, root}};
  while (!open.empty()) {
    const LeafRows at = std::move(open.back());
    open.pop_back();
    if (at.rows.size() == 0) continue;
    if (tree.kind[at.node] == leaf_node) {
      leaves.push_back(at);
      continue;
    }
    const Candidate split = split_by_value(*problem_.table, tree, at.node, growth.splits[at.node]);
    const Division division = divide(problem_, at.rows, split, tree.default_branch[at.node] == 1, rows.data(),
                                     workspace_.scratch.data());
    open.push_back({tree.first_child[at.node], division.left});
    open.push_back({tree.first_child[at.node] + 1, division.right});
  }
  return leaves;
}

Round Booster::run(const std::vector<char>* allowed, Pool& pool, const Poll& poll) {
  set_weights();
  Round round;
  const bool pruned = pruning_pays();
  ++rounds_since_sorting_;
  if (pruned && (original_.empty() || rounds_since_sorting_ >= rounds_between_sorting)) sort_rows(pool);
  Chosen chosen = choose_rows();
  const auto weight = static_cast<double>(chosen.weight);
  round.seen_weight = weight / static_cast<double>(weight_total_);
  GrowthRules growth = rules_.growth;
  growth.allowed = allowed;
  // A stump's cost is so cheap that asking for a bound first does not pay.
  if (rules_.search == Search::automatic && problem_.criterion != Criterion::stump)
    growth.search = GrowthRules::Search::bounded;
  if (pruned) growth.search = GrowthRules::Search::pruned;
  if (rules_.search == Search::adaptive || rules_.search == Search::quick) {
    growth.search = GrowthRules::Search::race;
    growth.race.adaptive = rules_.search == Search::adaptive;
  }
  growth.limits = {rules_.min_weight_fraction_leaf * weight, problem_.examples ? rules_.min_examples : 0};
  round.growth = grow(workspace_, growth, chosen.root, chosen.rows, pool, poll);
  const auto looked_at = static_cast<double>(round.growth.assessments);
  if (pruned && looked_at > paying_share * static_cast<double>(round.growth.exhaustive_assessments))
    rounds_without_pruning_ = rounds_of_rest;
  const std::vector<LeafRows> absent = route_absent(round.growth, chosen.absent, chosen.absent_root);
  score(round, absent, chosen.absent);
  if (round.stop != Stop::chance) {
    update(round, chosen.rows);
    for (const LeafRows& leaf : absent) multiply(factors(round, leaf.node), leaf.rows, chosen.absent);
    note_scale(round);
    total_ = total_of_factors();
  }
  round.bound = std::exp(std::log(total_ / given_total_) - log_scale_);
  return round;
}

void Booster::replay(const std::int32_t* leaf, const std::vector<double>& value, double tree_weight,
                     double error) {
  Round round;
  round.value = value;
  round.tree_weight = tree_weight;
  round.error = error;
  set_weights();
  std::vector<LeafFactors> by_leaf(value.size());
  for (std::size_t n = 0; n < value.size(); ++n) by_leaf[n] = factors(round, static_cast<std::int32_t>(n));
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    const LeafFactors& at = by_leaf[leaf[original_.empty() ? i : original_[i]]];
    factor_[i] *= labels_[i] == at.label ? at.same : at.other;
  }
  note_scale(round);
  total_ = total_of_factors();
}

// Discrete: only the rows that were right are multiplied, which scales exp(-yF) by the root of their factor.
void Booster::note_scale(const Round& round) {
  if (rules_.variant != Variant::discrete) return;
  const auto leaf = static_cast<std::int32_t>(round.value.size()) - 1;  // the last node is a leaf
  log_scale_ += std::log(factors(round, leaf).same) / 2;
}

}  // namespace hardwood
