#include "search/binary/entry_cuts.hpp"

#include <algorithm>

#include "search/cost_kernels.hpp"

namespace hardwood {

namespace {

// Sorting an entry costs about as much as clearing and adding up so many buckets.
constexpr std::size_t buckets_an_entry = 16;

}  // namespace

template <class Cell>
void EntryCuts<Cell>::run(const NodeView<Cell>& view, const std::vector<char>* allowed, const Visit& whole,
                          Split& best) {
  const EncodedTable& table = *view.problem.table;
  if (table.entry_columns.empty()) return;
  std::size_t count = 0;
  for_each_row(view, [&](std::uint32_t row, std::uint32_t) { count += table.row_entries(row).size(); });
  if (count == 0) return;
  candidates_.clear();
  sums_.clear();
  runs_.clear();
  run_before_.clear();
  const bool sorted = count * buckets_an_entry < table.entry_buckets;
  if (sorted) {
    sort_entries(view, count);
    find_sorted_candidates(view, allowed);
  } else {
    sum_buckets(view);
    find_candidates(view, allowed);
  }
  bound_candidates(view);
  const auto attempt = [&](const Candidate& each) {
    if (each.bound > best.cost * prune_margin) return;
    if (sorted) {
      fill_sorted(view, each);
      whole(each.column, groups_);
    } else {
      fill_buckets(view, table.columns[each.column]);
      try_buckets(view, each.column, whole, best);
    }
  };
  // The most promising one first; it leaves few to be put in order.
  const auto first = std::min_element(candidates_.begin(), candidates_.end(), before);
  if (first == candidates_.end()) return;
  std::swap(*first, candidates_.front());
  attempt(candidates_.front());
  const double limit = best.cost * prune_margin;
  const auto end = std::remove_if(candidates_.begin() + 1, candidates_.end(),
                                  [&](const Candidate& each) { return each.bound > limit; });
  std::sort(candidates_.begin() + 1, end, before);
  for (auto each = candidates_.begin() + 1; each != end; ++each) attempt(*each);
  try_runs(view, best);
}

template <class Cell>
void EntryCuts<Cell>::sum_buckets(const NodeView<Cell>& view) {
  const EncodedTable& table = *view.problem.table;
  const int channels = view.channels(), classes = view.totals.classes;
  const std::size_t buckets = table.entry_buckets;
  table_.assign(channels * buckets, Cell{0});
  for_each_row(view, [&](std::uint32_t row, std::uint32_t channel) {
    const auto weight = static_cast<Cell>(view.problem.weight(row));
    Cell* own = table_.data() + channel * buckets;
    for (std::uint32_t bucket : table.row_buckets(row)) own[bucket] += weight;
    if (channels == classes) return;
    Cell* examples = table_.data() + classes * buckets;
    for (std::uint32_t bucket : table.row_buckets(row))
      examples[bucket] += static_cast<Cell>(view.problem.examples[row]);
  });
}

template <class Cell>
void EntryCuts<Cell>::sort_entries(const NodeView<Cell>& view, std::size_t count) {
  const EncodedTable& table = *view.problem.table;
  rows_.clear();
  rows_.reserve(count);
  for_each_row(view, [&](std::uint32_t row, std::uint32_t channel) {
    const auto weight = static_cast<Cell>(view.problem.weight(row));
    const auto examples = static_cast<Cell>(view.examples(row));
    for (std::uint32_t cell : table.row_entries(row)) rows_.push_back({cell, 0, channel, weight, examples});
  });
  std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
}

// Its sums are the last of sums_.
template <class Cell>
void EntryCuts<Cell>::add_candidate(const NodeView<Cell>& view, std::uint32_t column, std::size_t begin,
                                    std::size_t end) {
  const double* sums = sums_.data() + sums_.size() - view.channels();
  double any = 0;
  for (int k = 0; k < view.totals.classes; ++k) any += sums[k];
  if (any > 0) candidates_.push_back({column, begin, end, 0});
  else sums_.resize(sums_.size() - view.channels());
}

template <class Cell>
void EntryCuts<Cell>::find_candidates(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  const EncodedTable& table = *view.problem.table;
  for (std::uint32_t c : table.entry_columns) {
    if (allowed && !(*allowed)[c]) continue;
    const EncodedColumn& column = table.columns[c];
    for (int k = 0; k < view.channels(); ++k) {
      const Cell* from =
          table_.data() + static_cast<std::size_t>(k) * table.entry_buckets + column.first_bucket;
      Cell sum = 0;
      for (std::uint32_t b = 0; b < column.entry_buckets(); ++b) sum += from[b];
      sums_.push_back(static_cast<double>(sum));
    }
    add_candidate(view, c, 0, 0);
  }
}

template <class Cell>
void EntryCuts<Cell>::find_sorted_candidates(const NodeView<Cell>& view, const std::vector<char>* allowed) {
  const EncodedTable& table = *view.problem.table;
  const int channels = view.channels(), classes = view.totals.classes;
  auto next = table.entry_columns.begin();
  for (std::size_t at = 0; at < rows_.size();) {
    next = std::upper_bound(
               next, table.entry_columns.end(), rows_[at].code,
               [&](std::uint32_t cell, std::uint32_t c) { return cell < table.columns[c].first_cell; }) -
           1;
    const EncodedColumn& column = table.columns[*next];
    const std::size_t begin = at;
    sums_.resize(sums_.size() + channels, 0.0);
    double* sums = sums_.data() + sums_.size() - channels;
    for (; at < rows_.size() && rows_[at].code - column.first_cell < column.codes(); ++at) {
      sums[rows_[at].channel] += static_cast<double>(rows_[at].weight);
      if (channels > classes) sums[classes] += static_cast<double>(rows_[at].examples);
    }
    if (allowed && !(*allowed)[*next]) sums_.resize(sums_.size() - channels);
    else add_candidate(view, *next, begin, at);
  }
}

// What no split of each can cost less than: the entries go to one side in part. Categories are never left out,
// so that it does not depend on the search whether a rule of thumb was asked.
template <class Cell>
void EntryCuts<Cell>::bound_candidates(const NodeView<Cell>& view) {
  const std::size_t count = candidates_.size(), positions = 2 * count;
  const int channels = view.channels(), classes = view.totals.classes;
  if (count == 0) return;
  left_.assign(classes * positions, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    for (int k = 0; k < classes; ++k) left_[k * positions + 2 * i + 1] = sums_[i * channels + k];
  cost_.resize(positions);
  bound_.resize(positions);
  work_.resize(3 * positions);
  const std::vector<double> zeros(classes, 0.0);
  const Prefixes prefixes{classes, positions, left_.data(), zeros.data(), view.totals.total.data()};
  cost_kernels().costs(view.totals.criterion, prefixes, positions - 1, cost_.data(), work_.data());
  cost_kernels().bounds(view.totals.criterion, prefixes, positions - 1, cost_.data(), bound_.data(),
                        work_.data());
  const EncodedTable& table = *view.problem.table;
  for (std::size_t i = 0; i < count; ++i)
    candidates_[i].bound =
        table.columns[candidates_[i].column].kind == ColumnKind::category ? 0 : bound_[2 * i];
}

// The non-empty buckets of a column as groups; their code is the number of the bucket.
template <class Cell>
void EntryCuts<Cell>::fill_buckets(const NodeView<Cell>& view, const EncodedColumn& column) {
  const std::size_t buckets = view.problem.table->entry_buckets;
  const int channels = view.channels(), classes = view.totals.classes;
  const auto cell = [&](int k, std::uint32_t b) {
    return static_cast<double>(table_[k * buckets + column.first_bucket + b]);
  };
  rest_.resize(channels);
  for (int k = 0; k < channels; ++k) rest_[k] = rest_of(view, column, k);
  const auto implicit = static_cast<std::uint32_t>(
      std::upper_bound(column.entry_start.begin(), column.entry_start.end() - 1, column.implicit_code) -
      column.entry_start.begin() - 1);
  const std::uint32_t missing = column.has_missing ? column.entry_buckets() - 1 : none;
  const std::uint32_t own = column.implicit_code == column.values ? missing : implicit;
  groups_.begin(channels, column.entry_buckets());
  for (std::uint32_t b = 0; b < column.entry_buckets(); ++b) {
    const auto weight = [&](int k) { return b == own ? rest_[k] : cell(k, b); };
    double any = 0;
    for (int k = 0; k < classes; ++k) any += weight(k);
    if (any == 0) continue;
    if (b == missing) groups_.set_missing(weight);
    else groups_.push(b, weight);
  }
}

template <class Cell>
void EntryCuts<Cell>::fill_sorted(const NodeView<Cell>& view, const Candidate& candidate) {
  const EncodedColumn& column = view.problem.table->columns[candidate.column];
  const int channels = view.channels(), classes = view.totals.classes;
  std::vector<double> sums(channels, 0.0), weight(channels);
  for (std::size_t i = candidate.begin; i < candidate.end; ++i) {
    sums[rows_[i].channel] += static_cast<double>(rows_[i].weight);
    if (channels > classes) sums[classes] += static_cast<double>(rows_[i].examples);
  }
  rest_.resize(channels);
  for (int k = 0; k < channels; ++k) rest_[k] = view.totals.total[k] - sums[k];
  double implicit = 0;
  for (int k = 0; k < classes; ++k) implicit += rest_[k];
  groups_.begin(channels, candidate.end - candidate.begin + 1);
  const auto add = [&](std::uint32_t code, const std::vector<double>& from) {
    const auto weight_of = [&](int k) { return from[k]; };
    if (column.has_missing && code == column.values) groups_.set_missing(weight_of);
    else groups_.push(code, weight_of);
  };
  bool placed = implicit == 0;
  for (std::size_t at = candidate.begin; at < candidate.end;) {
    const std::uint32_t code = rows_[at].code - column.first_cell;
    if (!placed && code > column.implicit_code) {
      add(column.implicit_code, rest_);
      placed = true;
    }
    std::fill(weight.begin(), weight.end(), 0.0);
    for (; at < candidate.end && rows_[at].code - column.first_cell == code; ++at) {
      weight[rows_[at].channel] += static_cast<double>(rows_[at].weight);
      if (channels > classes) weight[classes] += static_cast<double>(rows_[at].examples);
    }
    add(code, weight);
  }
  if (!placed) add(column.implicit_code, rest_);
}

template <class Cell>
void EntryCuts<Cell>::try_buckets(const NodeView<Cell>& view, std::uint32_t c, const Visit& whole,
                                  Split& best) {
  const EncodedColumn& column = view.problem.table->columns[c];
  bool divided = false;
  for (std::size_t g = 0; g < groups_.count; ++g)
    divided |= column.entry_start[groups_.code[g] + 1] - column.entry_start[groups_.code[g]] > 1;
  if (!divided) {
    for (std::size_t g = 0; g < groups_.count; ++g) groups_.code[g] = column.entry_start[groups_.code[g]];
    whole(c, groups_);
    return;
  }
  const auto cut_of = [&](std::size_t g) { return std::uint64_t{column.entry_start[groups_.code[g] + 1] - 1}; };
  const auto describe = [&](std::size_t g, std::uint64_t cut, Split& split) {
    split.set_cut(cut, groups_.code[g], g + 1 < groups_.count ? groups_.code[g + 1] : none);
  };
  cuts_.run(groups_, view.totals, c, CutSearch::Scope::whole_with_bounds, best, cut_of, describe);
  note_runs(view, c, best.cost);
}

template <class Cell>
void EntryCuts<Cell>::note_runs(const NodeView<Cell>& view, std::uint32_t c, double cost) {
  const EncodedColumn& column = view.problem.table->columns[c];
  const std::vector<double>& bound = cuts_.bounds();
  for (std::size_t g = 0; g < groups_.count; ++g) {
    const std::uint32_t b = groups_.code[g];
    if (column.entry_start[b + 1] - column.entry_start[b] < 2 || bound[g] > cost * prune_margin) continue;
    runs_.push_back({c, b, g + 1 < groups_.count, bound[g]});
    for (int k = 0; k < view.channels(); ++k) run_before_.push_back(groups_.left[k * groups_.stride + g]);
  }
}

// The entries of runs_ in order of column and code.
template <class Cell>
void EntryCuts<Cell>::collect_runs(const NodeView<Cell>& view) {
  const EncodedTable& table = *view.problem.table;
  if (run_of_.size() < table.entry_buckets) run_of_.resize(table.entry_buckets, none);
  const auto place = [&](const Run& run) -> std::uint32_t& {
    return run_of_[table.columns[run.column].first_bucket + run.bucket];
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) place(runs_[i]) = static_cast<std::uint32_t>(i);
  rows_.clear();
  for_each_row(view, [&](std::uint32_t row, std::uint32_t channel) {
    const auto buckets = table.row_buckets(row);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const std::uint32_t run = run_of_[buckets[i]];
      if (run == none) continue;
      rows_.push_back({table.row_entries(row)[i], run, channel, static_cast<Cell>(view.problem.weight(row)),
                       static_cast<Cell>(view.examples(row))});
    }
  });
  for (const Run& run : runs_) place(run) = none;
  std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
}

template <class Cell>
void EntryCuts<Cell>::try_runs(const NodeView<Cell>& view, Split& best) {
  const int channels = view.channels(), classes = view.totals.classes;
  const EncodedTable& table = *view.problem.table;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].bound > best.cost * prune_margin) continue;
    runs_[kept] = runs_[i];
    std::copy_n(run_before_.begin() + i * channels, channels, run_before_.begin() + kept * channels);
    ++kept;
  }
  runs_.resize(kept);
  if (kept == 0) return;
  collect_runs(view);
  for (std::size_t at = 0; at < rows_.size();) {
    std::size_t end = at;
    while (end < rows_.size() && rows_[end].run == rows_[at].run) ++end;
    const Run& run = runs_[rows_[at].run];
    const EncodedColumn& column = table.columns[run.column];
    fill_groups(groups_, std::span<const CodeRow<Cell>>(rows_).subspan(at, end - at), channels, classes,
                run_before_.data() + rows_[at].run * channels, column.first_cell);
    at = end;
    if (column.has_missing) {
      const std::size_t missing = column.first_bucket + column.entry_buckets() - 1;
      if (column.implicit_code == column.values)
        groups_.set_missing([&](int k) { return rest_of(view, column, k); });
      else
        groups_.set_missing(
            [&](int k) { return static_cast<double>(table_[k * table.entry_buckets + missing]); });
    }
    const auto cut_of = [&](std::size_t g) { return std::uint64_t{groups_.code[g]}; };
    const auto describe = [&](std::size_t g, std::uint64_t cut, Split& split) {
      split.set_cut(cut, groups_.code[g], g + 1 < groups_.count || run.after ? 0 : none);
    };
    cuts_.run(groups_, view.totals, run.column, CutSearch::Scope::part, best, cut_of, describe);
  }
}

template <class Cell>
double EntryCuts<Cell>::rest_of(const NodeView<Cell>& view, const EncodedColumn& column, int k) const {
  const Cell* from =
      table_.data() + static_cast<std::size_t>(k) * view.problem.table->entry_buckets + column.first_bucket;
  Cell sum = 0;
  for (std::uint32_t b = 0; b < column.entry_buckets(); ++b) sum += from[b];
  return view.totals.total[k] - static_cast<double>(sum);
}

template class EntryCuts<std::uint32_t>;
template class EntryCuts<std::int64_t>;

}  // namespace hardwood
