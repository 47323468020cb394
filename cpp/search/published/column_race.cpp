#include "search/published/column_race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "base/portable.hpp"
#include "search/cost_kernels.hpp"

namespace hardwood {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Costs that differ by less than this share of 2^52, about the total weight, are equal but for the rounding of
// the boosting factors, which is about 2^-45 of the total; different ones that occurred differ by far more.
constexpr double tied = 0x1p20;

}  // namespace

// The least number of rows, heaviest first, that hold this weight.
std::size_t ColumnRace::rows_holding(double weight) const {
  return std::lower_bound(weight_until_.begin(), weight_until_.end(), weight) - weight_until_.begin();
}

// What all columns see first.
std::size_t ColumnRace::first_rows(const RaceRules& rules) const {
  const double start = rules.adaptive ? 0.5 : rules.quick_start;
  return std::clamp<std::size_t>(rows_holding(start * weight_until_.back()), 1, rows_.size());
}

void ColumnRace::assess_to(const NodeView<Cell>& view, Runner& runner, std::size_t end) {
  if (runner.flat) {
    runner.seen = end;
    runner.low = infinity;
    runner.complete = end == rows_.size();
  } else {
    add_to(view, runner, end);
  }
  if (constants_) {
    runner.low = std::min(runner.low, constant_mistakes(runner.seen));
    runner.high = runner.low + (weight_until_.back() - weight_until_[runner.seen]);
  }
  if (runner.complete && std::tuple(runner.low, runner.column) < std::tuple(least_, least_column_)) {
    least_ = runner.low;
    least_column_ = runner.column;
  }
}

// Adds the weights of the rows up to `end`, and tells what that says about the column's splits.
void ColumnRace::add_to(const NodeView<Cell>& view, Runner& runner, std::size_t end) {
  const EncodedColumn& column = table_->columns[runner.column];
  if (runner.by_example) {
    if (end < rows_.size()) pairs_.advance(*runner.codes_of, runner.seen, end, runner.cells);
    runner.seen = end;
    if (end == rows_.size()) finish(view, runner);
    else set_bounds_by_example(runner);
    return;
  }
  const int classes = view.totals.classes;
  const auto add = [&](std::size_t i, std::uint32_t code, Cell sign) {
    const Row& row = rows_[i];
    runner.cells[row.channel * runner.codes + code] += sign * row.weight;
    if (view.channels() > classes)
      runner.cells[classes * runner.codes + code] += sign * view.problem.examples[row.row];
  };
  if (column.storage == Storage::entries) {
    for (int k = 0; k < view.channels(); ++k)
      runner.cells[k * runner.codes + column.implicit_code] +=
          channel_until_[k][end] - channel_until_[k][runner.seen];
    for (auto& at = runner.next_entry; at < runner.entries.size() && runner.entries[at].place < end; ++at) {
      add(runner.entries[at].place, column.implicit_code, -1);
      add(runner.entries[at].place, runner.entries[at].code, 1);
    }
  } else {
    for (std::size_t i = runner.seen; i < end; ++i) add(i, code_of(column, rows_[i].row), 1);
  }
  runner.seen = end;
  if (end == rows_.size()) finish(view, runner);
  else set_bounds(view, runner);
}

double ColumnRace::constant_mistakes(std::size_t seen) const {
  return (weight_until_[seen] - std::abs(signed_until_[seen])) / 2;
}

bool ColumnRace::constant_wins() const {
  return constants_ && (!best_.found() || constant_mistakes(rows_.size()) <= best_.cost + tied);
}

void ColumnRace::assess(const NodeView<Cell>& view, Runner& runner, double weight) {
  const std::size_t end =
      std::clamp(rows_holding(weight_until_[runner.seen] + weight), runner.seen + 1, rows_.size());
  assessments_ += static_cast<std::int64_t>(end - runner.seen);
  assess_to(view, runner, end);
}

// The groups of a runner's cells, as prefix sums.
void fill_runner(Groups& groups, const std::vector<std::int64_t>& cells, std::uint32_t codes,
                 const EncodedColumn& column, int channels) {
  std::vector<std::size_t> offset(channels);
  for (int k = 0; k < channels; ++k) offset[k] = static_cast<std::size_t>(k) * codes;
  fill_groups(groups, cells.data(), offset, codes, column.has_missing ? column.missing_lane_code() : none);
}

// The fewest mistakes so far of the column's stumps at the node: cuts between its codes, whether their
// rows were seen or not, missing values on either side, and missing against the rest.
double ColumnRace::fewest_mistakes(const Runner& runner, const EncodedColumn& column) const {
  const Groups& g = groups_;
  const double all0 = g.left[g.count], all1 = g.left[g.stride + g.count];
  const double missing0 = g.missing[0], missing1 = g.missing[1];
  double out = infinity;
  if (runner.missing)  // against the rest
    out = std::min(all0 + missing1, all1 + missing0);
  if (column.kind == ColumnKind::category) {
    if (runner.distinct < 2) return out;
    double mistakes = 0, least_margin = infinity;
    std::size_t first_class = 0;
    for (std::size_t i = 0; i < g.count; ++i) {
      const double w0 = g.weight(0, i), w1 = g.weight(1, i);
      mistakes += std::min(w0, w1);
      least_margin = std::min(least_margin, std::abs(w0 - w1));
      first_class += w0 >= w1 ? 1 : 0;
    }
    // Categories not seen yet may fill the empty side; else the cheapest crosses.
    const bool one_sided = first_class == 0 || first_class == g.count;
    if (one_sided && g.count == runner.distinct) mistakes += least_margin;
    return std::min(out, mistakes + std::min(missing0, missing1));
  }
  const std::size_t first = g.count > 0 && runner.first == g.code[0] ? 1 : 0;
  const std::size_t end = g.count + (g.count > 0 && runner.last == g.code[g.count - 1] ? 0 : 1);
  if (runner.first == runner.last) return out;
  for (std::size_t i = first; i < end; ++i) {
    const double left0 = g.left[i], left1 = g.left[g.stride + i];
    const double up = left0 + (all1 - left1), down = left1 + (all0 - left0);
    // Left predicts the second class: missing ones on the left are wrong with weight missing0.
    out = std::min(out, std::min(up, down) + std::min(missing0, missing1));
  }
  return out;
}

// The same from the signed sums: of a cut's mistakes, those of class 0 on its left count and those of class 1
// do not, or the other way round.
void ColumnRace::set_bounds_by_example(Runner& runner) const {
  Cell sum = 0, least = std::numeric_limits<Cell>::max(), most = std::numeric_limits<Cell>::min();
  for (std::uint32_t code = runner.first; code < runner.last; ++code) {
    sum += runner.cells[code];
    least = std::min(least, sum);
    most = std::max(most, sum);
  }
  const double weight = weight_until_[runner.seen];
  const double apart = static_cast<double>(pairs_.signed_until(runner.seen));
  runner.low = std::min((weight - apart) / 2 + static_cast<double>(least),
                        (weight + apart) / 2 - static_cast<double>(most));
  runner.high = runner.low + (weight_until_.back() - weight);
}

void ColumnRace::set_bounds(const NodeView<Cell>& view, Runner& runner) {
  const EncodedColumn& column = table_->columns[runner.column];
  const double unseen = weight_until_.back() - weight_until_[runner.seen];
  const NodeTotals& totals = view.totals;
  const bool stump = totals.criterion == Criterion::stump;
  runner.high = stump ? infinity : totals.cost;
  runner.low = 0;
  // What is admissible, and what is rare, is known only at the end.
  const bool pooled = totals.rare_below > 0 && column.kind == ColumnKind::category;
  if (totals.limits.any() || totals.constraint || pooled) return;
  fill_runner(groups_, runner.cells, runner.codes, column, view.channels());
  if (stump && !column.bucketed()) {
    runner.low = fewest_mistakes(runner, column);
    runner.high = runner.low + unseen;
    return;
  }
  if (column.kind == ColumnKind::category) return;
  runner.low = cuts_.lowest(groups_, totals, column.bucketed());
  if (!stump) {  // a rounded bound; the mistakes of stumps are whole numbers
    runner.low /= prune_margin;
    return;
  }
  NodeTotals seen = totals;  // the node as far as it was seen
  for (int c = 0; c < totals.classes; ++c)
    seen.total[c] = groups_.left[c * groups_.stride + groups_.count] + groups_.missing[c];
  seen.weight = weight_until_[runner.seen];
  // A stump between buckets that exists already, and what it can become.
  Split best;
  if (groups_.count + (groups_.any_missing ? 1 : 0) > 1)
    cuts_.run(
        groups_, seen, runner.column, CutSearch::Scope::whole, best,
        [&](std::size_t i) { return std::uint64_t{groups_.code[i]}; },
        [](std::size_t, std::uint64_t, Split&) {});
  if (best.found()) runner.high = best.cost + unseen;
}

// All rows seen: the column's best split, exactly.
void ColumnRace::finish(const NodeView<Cell>& view, Runner& runner) {
  const EncodedColumn& column = table_->columns[runner.column];
  const int channels = view.channels();
  if (runner.by_example) {
    runner.cells.resize(2 * static_cast<std::size_t>(runner.codes));
    pairs_.sum_all(*runner.codes_of, runner.cells);
  }
  fill_runner(groups_, runner.cells, runner.codes, column, channels);
  if (column.bucketed())
    for (int k = 0; k < channels; ++k)
      std::copy_n(runner.cells.data() + static_cast<std::size_t>(k) * runner.codes, runner.codes,
                  buffer_ + view.channel_offset[k] + view.layout.offset[column.lane]);
  search_.begin();
  search_.try_column(view, runner.column, groups_);
  search_.open_buckets(view);
  runner.best = search_.finish();
  runner.low = runner.high = runner.best.found() ? runner.best.cost : infinity;
  runner.complete = true;
  runner.cells = {};
  if (precedes(runner.best, best_)) best_ = runner.best;
}

void ColumnRace::adaptive(const NodeView<Cell>& view) {
  std::set<std::pair<double, std::size_t>> by_low;  // (L, runner), runners being in order of columns
  for (std::size_t i = 0; i < runners_.size(); ++i) by_low.emplace(runners_[i].low, i);
  const auto look = [&](std::size_t i, double weight) {
    by_low.erase({runners_[i].low, i});
    assess(view, runners_[i], weight);
    by_low.emplace(runners_[i].low, i);
  };
  std::size_t a = 0;
  for (std::size_t i = 1; i < runners_.size(); ++i)
    if (runners_[i].high < runners_[a].high) a = i;
  // A unit of weight is at most a mistake of a stump; by other criteria it costs about its share of the node.
  const NodeTotals& totals = view.totals;
  const double weight_of_cost =
      totals.criterion == Criterion::stump || totals.cost == 0 ? 1.0 : totals.weight / totals.cost;
  while (runners_.size() > 1) {
    const auto lowest = by_low.begin();
    const std::size_t b = lowest->second != a ? lowest->second : std::next(lowest)->second;
    const Runner& leader = runners_[a];
    const Runner& other = runners_[b];
    if (leader.complete && other.complete && !constants_) {
      if (!precedes(other.best, leader.best)) break;
      a = b;
      continue;
    }
    if (std::tuple(leader.high, leader.column) < std::tuple(other.low, other.column)) break;
    const auto gap = [&] { return weight_of_cost * (leader.high - other.low) + (b < a ? 1.0 : 0.0); };
    if (!leader.complete) look(a, gap());
    if (!other.complete && gap() > 0) look(b, gap());
    if (std::tuple(other.high, other.column) < std::tuple(leader.high, leader.column)) a = b;
  }
  if (!runners_[a].complete) assess(view, runners_[a], infinity);
}

// Where the batch-th of equal shares of the weight after `start` ends.
std::size_t ColumnRace::batch_end(std::size_t start, int batch, int batches) const {
  if (batch == batches) return rows_.size();
  const auto weight = [&](std::size_t i) { return static_cast<Wide>(weight_until_[i]); };
  const Wide wanted = (weight(rows_.size()) - weight(start)) * batch;
  std::size_t low = start, high = rows_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if ((weight(middle) - weight(start)) * batches >= wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

void ColumnRace::quick(const NodeView<Cell>& view, int batches) {
  std::vector<std::size_t> order(runners_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return runners_[a].low < runners_[b].low; });
  const auto lost = [&](const Runner& runner) {
    return least_ < infinity && std::tuple(runner.low, runner.column) > std::tuple(least_, least_column_);
  };
  for (std::size_t i : order) {
    Runner& runner = runners_[i];
    const std::size_t start = runner.seen;
    for (int batch = 1; batch <= batches && !runner.complete && !lost(runner); ++batch) {
      const std::size_t end = std::max(batch_end(start, batch, batches), runner.seen);
      assessments_ += static_cast<std::int64_t>(end - runner.seen);
      if (end > runner.seen) assess_to(view, runner, end);
    }
  }
}

ColumnRace::Result ColumnRace::run(const RaceRules& rules, const Problem& problem,
                                   const HistogramLayout& layout, const NodeRows& node,
                                   const std::uint32_t* rows, Cell* cells, const NodeTotals& totals,
                                   const std::vector<char>* allowed) {
  NodeView<Cell> view{problem, layout, node, rows, cells, totals, {}, nullptr};
  for (const ClassRows& part : node.classes) view.channel_offset.push_back(part.label * layout.total);
  if (problem.examples) view.channel_offset.push_back(problem.classes * layout.total);
  buffer_ = cells;
  table_ = problem.table;
  best_ = {};
  least_ = infinity;
  constants_ = rules.constants && totals.criterion == Criterion::stump;
  order_rows(node, rows, problem.weights);
  std::int64_t columns = 0;
  for (std::size_t c = 0; c < table_->columns.size(); ++c) columns += !allowed || (*allowed)[c] ? 1 : 0;
  const std::size_t first = first_rows(rules);
  sum_pairs(view, rules, first);
  line_up(view, allowed);
  assessments_ = columns * static_cast<std::int64_t>(first);
  for (Runner& runner : runners_) assess_to(view, runner, first);
  if (!runners_.empty()) {
    if (rules.adaptive) adaptive(view);
    else quick(view, rules.quick_batches);
  }
  if (constant_wins()) return {{}, assessments_, true};
  return {std::move(best_), assessments_};
}

std::int64_t ColumnRace::assessments_of_pure(const RaceRules& rules, const Problem& problem,
                                             const NodeRows& node, const std::uint32_t* rows,
                                             std::int64_t columns) {
  constants_ = false;
  order_rows(node, rows, problem.weights);
  const auto first = static_cast<std::int64_t>(first_rows(rules));
  return columns * first + (static_cast<std::int64_t>(rows_.size()) - first);
}

}  // namespace hardwood
