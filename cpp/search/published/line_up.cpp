#include <algorithm>
#include <tuple>

#include "search/published/column_race.hpp"
#include "search/published/digit_sort.hpp"

namespace hardwood {

constexpr std::size_t least_to_digit_sort = 1000;

std::uint32_t ColumnRace::code_of(const EncodedColumn& column, std::uint32_t row) const {
  const std::uint32_t code = lane_view(*table_, column.lane)[row];
  return column.storage == Storage::bundle ? column.digits[code] : code;
}

void ColumnRace::order_rows(const NodeRows& node, const std::uint32_t* rows, const std::int64_t* weights) {
  rows_.clear();
  std::uint32_t channel = 0;
  for (const ClassRows& part : node.classes) {
    for (std::uint32_t i = part.begin; i < part.end; ++i) rows_.push_back({rows[i], channel, weights[rows[i]]});
    ++channel;
  }
  if (rows_.size() < least_to_digit_sort) {
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return std::tuple(-a.weight, a.row) < std::tuple(-b.weight, b.row);
    });
  } else {
    digit_sort(rows_, spare_rows_, [](const Row& row) { return std::uint64_t{row.row}; });
    digit_sort(rows_, spare_rows_, [](const Row& row) { return ~static_cast<std::uint64_t>(row.weight); });
  }
  weight_until_.assign(1, 0.0);
  for (const Row& row : rows_) weight_until_.push_back(weight_until_.back() + static_cast<double>(row.weight));
  if (!constants_) return;
  signed_until_.assign(1, 0.0);
  for (const Row& row : rows_) {
    const auto weight = static_cast<double>(row.weight);
    signed_until_.push_back(signed_until_.back() + (row.channel == 0 ? weight : -weight));
  }
}

// Stumps of pairs of whose mistakes the signed sums tell: see pair_prefixes.hpp.
bool ColumnRace::by_example(const NodeView<Cell>& view, const EncodedColumn& column) const {
  const NodeTotals& totals = view.totals;
  return table_->paired() && table_->rows / table_->stored.pairs < PairPrefixes::most_examples &&
         totals.criterion == Criterion::stump && view.channels() == 2 && !totals.limits.any() &&
         !totals.constraint && column.kind != ColumnKind::category && !column.has_missing &&
         !column.bucketed() && column.lane / tile_lanes != table_->class_tile() &&
         (column.storage == Storage::lane || column.storage == Storage::bundle);
}

void ColumnRace::sum_pairs(const NodeView<Cell>& view, const RaceRules& rules, std::size_t first) {
  const auto& columns = table_->columns;
  const auto wants = [&](const EncodedColumn& column) { return by_example(view, column); };
  if (std::none_of(columns.begin(), columns.end(), wants)) return;
  pairs_.begin(rows_.size(), table_->rows / table_->stored.pairs);
  for (const Row& row : rows_) pairs_.push(table_->stored(row.row), row.channel, row.weight);
  std::vector<std::size_t> marks{first};  // where all columns come by
  for (int batch = 1; !rules.adaptive && batch < rules.quick_batches; ++batch)
    marks.push_back(std::max(batch_end(first, batch, rules.quick_batches), first));
  pairs_.sum(marks);
}

// A runner for every column that is not constant in the node, and for the others too where constants compete.
void ColumnRace::line_up(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  runners_.clear();
  line_up_lanes(view, allowed);
  if (!table_->entry_columns.empty()) line_up_entries(view, allowed);
  if (constants_) enter_flat(allowed);
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
  const std::size_t channels = runner.by_example ? 1 : view.channels();
  runner.cells.assign(channels * runner.codes, 0);
  runners_.push_back(std::move(runner));
}

// The columns that have no runner yet.
void ColumnRace::enter_flat(const std::vector<char>* allowed) {
  std::vector<char> runs(table_->columns.size());
  for (const Runner& runner : runners_) runs[runner.column] = 1;
  for (std::uint32_t c = 0; c < runs.size(); ++c) {
    if (runs[c] || (allowed && !(*allowed)[c])) continue;
    Runner runner;
    runner.column = c;
    runner.flat = true;
    runners_.push_back(std::move(runner));
  }
}

void ColumnRace::line_up_lanes(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  for (std::uint32_t c = 0; c < table_->columns.size(); ++c) {
    const EncodedColumn& column = table_->columns[c];
    if ((allowed && !(*allowed)[c]) || column.storage == Storage::constant ||
        column.storage == Storage::entries)
      continue;
    Runner runner;
    runner.column = c;
    runner.by_example = by_example(view, column);
    if (runner.by_example) {
      runner.codes_of = &pairs_.codes(*table_, c);
      const PairPrefixes::Range range = pairs_.range(*runner.codes_of);
      runner.first = range.first;
      runner.last = range.last;
    } else {
      find_range(column, runner);
    }
    enter(view, std::move(runner));
  }
}

// The codes of a column that the node's rows have.
void ColumnRace::find_range(const EncodedColumn& column, Runner& runner) const {
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

}  // namespace hardwood
