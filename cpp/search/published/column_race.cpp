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

}  // namespace

std::uint32_t ColumnRace::code_of(const EncodedColumn& column, std::uint32_t row) const {
  const std::uint32_t code = lane_view(*table_, column.lane)[row];
  return column.storage == Storage::bundle ? column.digits[code] : code;
}

// Rows in order, and a runner for every column that is not constant in the node.
void ColumnRace::line_up(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  rows_.clear();
  std::uint32_t channel = 0;
  for (const ClassRows& part : view.node.classes) {
    for (std::uint32_t i = part.begin; i < part.end; ++i)
      rows_.push_back({view.rows[i], channel, view.problem.weights[view.rows[i]]});
    ++channel;
  }
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return std::tuple(-a.weight, a.row) < std::tuple(-b.weight, b.row);
  });
  weight_until_.assign(1, 0.0);
  for (const Row& row : rows_) weight_until_.push_back(weight_until_.back() + static_cast<double>(row.weight));
  runners_.clear();
  line_up_lanes(view, allowed);
  if (!table_->entry_columns.empty()) line_up_entries(view, allowed);
  std::sort(runners_.begin(), runners_.end(),
            [](const Runner& a, const Runner& b) { return a.column < b.column; });
}

void ColumnRace::enter(const NodeView<Cell>& view, Runner runner) {
  const EncodedColumn& column = table_->columns[runner.column];
  // A bucket of several codes may hide a split, so such a column always runs.
  const bool has_values = runner.first != none;
  const bool varies = has_values && (runner.first < runner.last || runner.missing || column.bucketed());
  if (!varies) return;
  runner.codes = column.bucketed() ? column.buckets() + (column.has_missing ? 1 : 0) : column.codes();
  runner.cells.assign(static_cast<std::size_t>(view.channels()) * runner.codes, 0);
  runners_.push_back(std::move(runner));
}

void ColumnRace::line_up_lanes(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  for (std::uint32_t c = 0; c < table_->columns.size(); ++c) {
    const EncodedColumn& column = table_->columns[c];
    if ((allowed && !(*allowed)[c]) || column.storage == Storage::constant ||
        column.storage == Storage::entries)
      continue;
    Runner runner;
    runner.column = c;
    const std::uint32_t missing = column.has_missing ? column.missing_lane_code() : none;
    std::vector<char> found(column.kind == ColumnKind::category ? column.codes() : 0);
    for (const Row& row : rows_) {
      const std::uint32_t code = code_of(column, row.row);
      runner.missing |= code == missing;
      if (code == missing) continue;
      if (!found.empty() && !found[code]) {
        found[code] = 1;
        ++runner.distinct;
      }
      runner.first = std::min(runner.first, code);
      runner.last = std::max(runner.last, code);
    }
    enter(view, std::move(runner));
  }
}

// Columns stored as entries: only the rows that have another code than the implicit one are listed.
void ColumnRace::line_up_entries(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  const std::size_t n = rows_.size();
  channel_until_.assign(view.channels(), std::vector<Cell>(n + 1, 0));
  std::vector<Runner> runners(table_->entry_columns.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (auto& until : channel_until_) until[i + 1] = until[i];
    channel_until_[rows_[i].channel][i + 1] += rows_[i].weight;
    if (view.channels() > view.totals.classes)
      channel_until_[view.totals.classes][i + 1] += view.problem.examples[rows_[i].row];
    std::size_t k = 0;
    for (std::uint32_t cell : table_->row_entries(rows_[i].row)) {
      const auto past = std::upper_bound(
          table_->entry_columns.begin() + k, table_->entry_columns.end(), cell,
          [&](std::uint32_t value, std::uint32_t c) { return value < table_->columns[c].first_cell; });
      k = past - table_->entry_columns.begin() - 1;
      const std::uint32_t code = cell - table_->columns[table_->entry_columns[k]].first_cell;
      runners[k].entries.push_back({static_cast<std::uint32_t>(i), code});
    }
  }
  for (std::size_t k = 0; k < runners.size(); ++k) {
    const std::uint32_t c = table_->entry_columns[k];
    if (runners[k].entries.empty() || (allowed && !(*allowed)[c])) continue;
    const EncodedColumn& column = table_->columns[c];
    Runner& runner = runners[k];
    runner.column = c;
    std::vector<std::uint32_t> codes;
    for (const Entry& entry : runner.entries) codes.push_back(entry.code);
    if (runner.entries.size() < n) codes.push_back(column.implicit_code);
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    if (column.has_missing && codes.back() == column.values) {
      runner.missing = true;
      codes.pop_back();
    }
    if (codes.empty()) continue;
    runner.first = codes.front();
    runner.last = codes.back();
    runner.distinct = static_cast<std::uint32_t>(codes.size());
    enter(view, std::move(runner));
  }
}

// The least number of rows, heaviest first, that hold this weight.
std::size_t ColumnRace::rows_holding(double weight) const {
  return std::lower_bound(weight_until_.begin(), weight_until_.end(), weight) - weight_until_.begin();
}

void ColumnRace::assess_to(const NodeView<Cell>& view, Runner& runner, std::size_t end) {
  const EncodedColumn& column = table_->columns[runner.column];
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
  NodeTotals seen = totals;  // the node as far as it was seen
  for (int c = 0; c < totals.classes; ++c)
    seen.total[c] = groups_.left[c * groups_.stride + groups_.count] + groups_.missing[c];
  seen.weight = weight_until_[runner.seen];
  runner.low = cuts_.lowest(groups_, seen, column.bucketed());
  if (!stump) {  // a rounded bound; the mistakes of stumps are whole numbers
    runner.low /= prune_margin;
    return;
  }
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
  while (runners_.size() > 1) {
    const auto lowest = by_low.begin();
    const std::size_t b = lowest->second != a ? lowest->second : std::next(lowest)->second;
    const Runner& leader = runners_[a];
    const Runner& other = runners_[b];
    if (leader.complete && other.complete) {
      if (!precedes(other.best, leader.best)) break;
      a = b;
      continue;
    }
    if (std::tuple(leader.high, leader.column) < std::tuple(other.low, other.column)) break;
    const auto gap = [&] { return leader.high - other.low + (b < a ? 1.0 : 0.0); };
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
    return best_.found() && std::tuple(runner.low, runner.column) > std::tuple(best_.cost, best_.column);
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
  line_up(view, allowed);
  std::int64_t columns = 0;
  for (std::size_t c = 0; c < table_->columns.size(); ++c) columns += !allowed || (*allowed)[c] ? 1 : 0;
  const double start = rules.adaptive ? 0.5 : rules.quick_start;
  const std::size_t first =
      std::clamp<std::size_t>(rows_holding(start * weight_until_.back()), 1, rows_.size());
  assessments_ = columns * static_cast<std::int64_t>(first);
  for (Runner& runner : runners_) assess_to(view, runner, first);
  if (!runners_.empty()) {
    if (rules.adaptive) adaptive(view);
    else quick(view, rules.quick_batches);
  }
  return {std::move(best_), assessments_};
}

}  // namespace hardwood
