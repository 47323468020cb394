#include "boosting/memory_boosting.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/exact_total.hpp"
#include "boosting/pair_tally.hpp"
#include "data/reorder.hpp"
#include "growing/memory_store.hpp"
#include "growing/partition.hpp"

namespace hardwood {

namespace {

constexpr std::int64_t heavy_share = 64;  // half of the weight in a row of so many: pruning pays
constexpr std::size_t least_lanes = 16;   // of one column: with fewer, bounds cost more than they save
constexpr std::size_t least_rows_of_lanes = 16384;
constexpr int rounds_between_sorting = 6;
constexpr int least_rest = 10, longest_rest = 160;  // rounds; each try in vain doubles them
constexpr double paying_share = 0.4;                // of a histogram's updates; subtraction spares about half

Problem make_problem(const EncodedTable& table, int classes, Criterion criterion,
                     const std::vector<std::int64_t>& weights, const GivenWeights& given) {
  Problem problem;
  problem.table = &table;
  problem.classes = classes;
  problem.criterion = criterion;
  problem.weights = weights.data();
  problem.examples = given.examples;
  return problem;
}

}  // namespace

MemoryBoosting::MemoryBoosting(const EncodedTable& table, std::vector<std::int32_t> labels, int classes,
                               Criterion criterion, GivenWeights given, bool logistic,
                               std::uint32_t pair_classes)
    : given_table_(table), next_rest_(least_rest), labels_(std::move(labels)), given_(given),
      logistic_(logistic), pair_classes_(pair_classes), factor_(labels_.size(), 1.0), weights_(labels_.size()),
      problem_(make_problem(table, classes, criterion, weights_, given)), workspace_(problem_) {
  workspace_.order = &order_;
  list_by_class();
}

void MemoryBoosting::list_by_class() {
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

double MemoryBoosting::exact_total() {
  return hardwood::exact_total(products(factor_, given_, logistic_));
}

void MemoryBoosting::scale(double by) {
  totals_.reset();
  for (double& factor : factor_) factor *= by;
}

void MemoryBoosting::round_weights(int exponent, Pool& pool) {
  weight_total_ = 0;
  lightest_ = std::numeric_limits<std::int64_t>::max();
  std::mutex mutex;
  pool.in_ranges(weights_.size(), [&](std::size_t begin, std::size_t end) {
    const GridSums sums = round_to_grid(factor_, given_, logistic_, exponent, begin, end, weights_);
    std::lock_guard lock(mutex);
    weight_total_ += sums.total;
    lightest_ = std::min(lightest_, sums.lightest);
  });
}

void MemoryBoosting::begin_round(int exponent, Trimming trimming, Pool& pool) {
  round_weights(exponent, pool);
  trimming_ = trimming;
  choose_rows(pool);
}

// Whether a small share of the rows holds half of the weight, so that bounds tell soon who can win.
bool MemoryBoosting::pruning_pays(Pool& pool) {
  if (problem_.classes != 2 || problem_.examples || pair_classes_ > 0) return false;  // pairs keep their order
  const auto alone = std::count_if(given_table_.lanes.begin(), given_table_.lanes.end(),
                                   [](const Lane& lane) { return lane.columns.size() == 1; });
  if (static_cast<std::size_t>(alone) < least_lanes || weights_.size() < least_rows_of_lanes) return false;
  if (rounds_without_pruning_ > 0) {
    --rounds_without_pruning_;
    return false;
  }
  std::array<std::int64_t, 64> count{}, weight{};  // by the weight's number of bits
  std::mutex mutex;
  pool.in_ranges(weights_.size(), [&](std::size_t begin, std::size_t end) {
    std::array<std::int64_t, 64> own_count{}, own_weight{};
    for (std::size_t i = begin; i < end; ++i) {
      const auto bits = std::bit_width(static_cast<std::uint64_t>(weights_[i]));
      ++own_count[bits];
      own_weight[bits] += weights_[i];
    }
    std::lock_guard lock(mutex);
    for (std::size_t bits = 0; bits < count.size(); ++bits) {
      count[bits] += own_count[bits];
      weight[bits] += own_weight[bits];
    }
  });
  std::int64_t rows = 0, sum = 0;
  for (int bits = 63; bits >= 0 && 2 * sum < weight_total_; --bits) {
    rows += count[bits];
    sum += weight[bits];
  }
  return rows * heavy_share <= static_cast<std::int64_t>(weights_.size());
}

// Puts the rows in decreasing order of weight, so that the heavy ones lie side by side in memory.
void MemoryBoosting::sort_rows(Pool& pool) {
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
    table_.entry_buckets = given_table_.entry_buckets;
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
  order_.forget();
  list_by_class();
  rounds_since_sorting_ = 0;
}

MemoryBoosting::Lightest MemoryBoosting::lightest_seen() const {
  if (trimming_.weight_fraction == 1) return {};
  std::vector<std::int64_t> sorted(weights_);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double wanted = trimming_.weight_fraction * static_cast<double>(weight_total_);
  std::int64_t sum = 0;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    alike = i > 0 && sorted[i] == sorted[i - 1] ? alike + 1 : 1;
    if (static_cast<double>(sum) < wanted || sorted[i] == 0) continue;
    Lightest out{sorted[i]};
    if (!trimming_.cut_ties) return out;
    for (out.last = 0; weights_[out.last] != out.weight || --alike > 0;) ++out.last;
    return out;
  }
  return {};
}

// The rows that the tree sees, by class, and those it does not.
void MemoryBoosting::choose_rows(Pool& pool) {
  Chosen& out = chosen_;
  out.absent.clear();
  out.root = out.absent_root = {};
  out.weight = 0;
  const Lightest least = lightest_seen();
  if (least.weight <= lightest_ && least.last >= weights_.size()) {
    out.rows.resize(by_class_.size());
    pool.in_ranges(by_class_.size(), [&](std::size_t begin, std::size_t end) {
      std::copy(by_class_.begin() + begin, by_class_.begin() + end, out.rows.begin() + begin);
    });
    out.root = all_;
    out.weight = weight_total_;
    return;
  }
  out.rows.clear();
  const auto add = [](NodeRows& node, std::vector<std::uint32_t>& rows, int label, std::uint32_t row) {
    if (node.classes.empty() || node.classes.back().label != label)
      node.classes.push_back({label, node.end, node.end});
    rows.push_back(row);
    node.classes.back().end = ++node.end;
  };
  for (const ClassRows& part : all_.classes)
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
      const std::uint32_t row = by_class_[i];
      if (weights_[row] < least.weight || (weights_[row] == least.weight && row > least.last)) {
        add(out.absent_root, out.absent, part.label, row);
        continue;
      }
      add(out.root, out.rows, part.label, row);
      out.weight += weights_[row];
    }
}

Growth MemoryBoosting::grow(GrowthRules rules, Search search, Pool& pool, const Poll& poll) {
  const bool pruned =
      search == Search::automatic && !rules.limits.any() && !rules.monotone && pruning_pays(pool);
  ++rounds_since_sorting_;
  if (pruned && (original_.empty() || rounds_since_sorting_ >= rounds_between_sorting)) {
    sort_rows(pool);
    choose_rows(pool);
  }
  // A stump's cost is so cheap that asking for a bound first does not pay.
  if (search == Search::automatic && problem_.criterion != Criterion::stump && !rules.opens_columns())
    rules.search = GrowthRules::Search::bounded;
  if (pruned) rules.search = GrowthRules::Search::pruned;
  if (search == Search::adaptive || search == Search::quick) {
    rules.search = GrowthRules::Search::race;
    rules.race.adaptive = search == Search::adaptive;
  }
  MemoryStore<std::int64_t> store(workspace_, rules, chosen_.root, chosen_.rows, pool, poll);
  Growth growth = hardwood::grow(store, rules, problem_.classes, poll);
  growth.opened_rows = order_.take_parts();
  node_rows_ = store.take_node_rows();
  if (pruned) note_pruning(growth, rules.allowed);
  return growth;
}

// Where it did not pay, the next rounds do without it.
void MemoryBoosting::note_pruning(const Growth& growth, const std::vector<char>* allowed) {
  const double a_row = HistogramLayout(*problem_.table, 1, allowed, true, true).updates;
  const bool paid = static_cast<double>(growth.assessments) <=
                    paying_share * a_row * static_cast<double>(growth.searched_rows);
  rounds_without_pruning_ = paid ? 0 : next_rest_;
  next_rest_ = paid ? least_rest : std::min(2 * next_rest_, longest_rest);
}

// Rows that the tree did not see go down its splits now; they are reordered, and each leaf's are noted.
std::vector<std::int64_t> MemoryBoosting::route_unseen(Growth& growth) {
  unseen_leaves_.clear();
  if (chosen_.absent.empty()) return {};
  const Tree& tree = growth.tree;
  std::vector<std::uint32_t>& rows = chosen_.absent;
  const RowArrays arrays = workspace_.arrays(rows);
  std::vector<const Split*> made_at(tree.size(), nullptr);
  for (std::size_t k = 0; k < growth.splits.size(); ++k) made_at[growth.split_nodes[k]] = &growth.splits[k];
  std::vector<LeafRows> open{{0, chosen_.absent_root}};
  while (!open.empty()) {
    const LeafRows at = std::move(open.back());
    open.pop_back();
    if (at.rows.size() == 0) continue;
    if (tree.kind[at.node] == leaf_node) {
      unseen_leaves_.push_back(at);
      continue;
    }
    const Split& made = *made_at[at.node];
    const std::int64_t cut = tree.cut_begin[at.node];
    Split split = by_thresholds(problem_.table->columns[made.column], made, tree.thresholds.data() + cut,
                                tree.integer_thresholds.data() + cut);
    const auto branches = divide(problem_, at.rows, split, arrays);
    std::copy(arrays.moved_rows + at.rows.begin, arrays.moved_rows + at.rows.end, arrays.rows + at.rows.begin);
    for (std::size_t b = 0; b < branches.size(); ++b)
      open.push_back({tree.first_child[at.node] + static_cast<std::int32_t>(b), branches[b]});
  }
  std::vector<std::int64_t> out(tree.size() * problem_.classes, 0);
  for (const auto& [node, at] : unseen_leaves_)
    for (const ClassRows& part : at.classes)
      for (std::uint32_t i = part.begin; i < part.end; ++i)
        out[static_cast<std::size_t>(node) * problem_.classes + part.label] += weights_[chosen_.absent[i]];
  return out;
}

template <class Body>
void MemoryBoosting::for_each_leaf(const Tree& tree, Body&& body) const {
  for (std::size_t n = 0; n < tree.size(); ++n)
    if (tree.kind[n] == leaf_node) body(n, node_rows_[n], chosen_.rows);
  for (const LeafRows& leaf : unseen_leaves_)
    body(static_cast<std::size_t>(leaf.node), leaf.rows, chosen_.absent);
}

auto MemoryBoosting::alike_rows(const Tree& tree, const std::vector<LeafFactors>& by_node) const
    -> std::vector<AlikeRows> {
  std::vector<AlikeRows> out;
  for_each_leaf(tree, [&](std::size_t leaf, const NodeRows& node, const auto& rows) {
    const LeafFactors& factors = by_node[leaf];
    for (const ClassRows& part : node.classes) {
      const double by = part.label == factors.label ? factors.same : factors.other;
      if (by != 1) out.push_back({rows.data() + part.begin, rows.data() + part.end, by});
    }
  });
  return out;
}

// Each thread takes the same number of rows, of whatever leaves.
void MemoryBoosting::multiply(Growth& growth, const std::vector<LeafFactors>& by_node, bool, Pool& pool) {
  const std::vector<AlikeRows> alike = alike_rows(growth.tree, by_node);
  std::size_t count = 0;
  for (const AlikeRows& each : alike) count += static_cast<std::size_t>(each.end - each.begin);
  pool.in_ranges(count, [&](std::size_t begin, std::size_t end) {
    std::size_t before = 0;
    for (const AlikeRows& each : alike) {
      const auto size = static_cast<std::size_t>(each.end - each.begin);
      const std::size_t from = std::clamp(begin, before, before + size) - before;
      const std::size_t to = std::clamp(end, before, before + size) - before;
      for (const std::uint32_t* row = each.begin + from; row != each.begin + to; ++row)
        factor_[*row] = std::min(factor_[*row] * each.by, largest_factor);
      before += size;
    }
  });
  totals_ = sum_factors(factor_, given_, logistic_, &pool);
}

FactorTotals MemoryBoosting::totals() {
  if (!totals_) totals_ = sum_factors(factor_, given_, logistic_, nullptr);
  return *totals_;
}

void MemoryBoosting::complete(Growth& growth) {
  if (pair_classes_ == 0) return;
  PairTally tally(pair_classes_, labels_.size() / pair_classes_, growth.tree.size(), chosen_.rows,
                  weights_.data());
  for_each_leaf(growth.tree,
                [&](std::size_t leaf, const NodeRows& node, const auto& rows) { tally.add(leaf, node, rows); });
  growth.pairs = tally.take();
}

void MemoryBoosting::multiply(const std::int32_t* leaf, const std::vector<LeafFactors>& by_node) {
  totals_.reset();
  for (std::size_t i = 0; i < factor_.size(); ++i) {
    const LeafFactors& at = by_node[leaf[original_.empty() ? i : original_[i]]];
    factor_[i] = std::min(factor_[i] * (labels_[i] == at.label ? at.same : at.other), largest_factor);
  }
}

}  // namespace hardwood
