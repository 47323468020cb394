#include "search/binary/entries.hpp"

#include <algorithm>

namespace hardwood {

// sums_ of one column -> groups_, the implicit code in its place.
template <class Cell>
void EntrySearch<Cell>::make_groups(const NodeView<Cell>& view, const EncodedColumn& column) {
  const int channels = view.channels();
  const std::size_t n = sums_.code.size();
  rest_.assign(view.totals.total.begin(), view.totals.total.begin() + channels);
  for (std::size_t i = 0; i < n; ++i)
    for (int k = 0; k < channels; ++k) rest_[k] -= sums_.weight[i * channels + k];
  double implicit = 0;
  for (int k = 0; k < view.totals.classes; ++k) implicit += rest_[k];
  const auto add = [&](std::uint32_t code, const double* weight) {
    const auto weight_of = [&](int k) { return weight[k]; };
    if (column.has_missing && code == column.values) groups_.set_missing(weight_of);
    else groups_.push(code, weight_of);
  };
  groups_.begin(channels, n + 1);
  bool placed = implicit == 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!placed && sums_.code[i] > column.implicit_code) {
      add(column.implicit_code, rest_.data());
      placed = true;
    }
    add(sums_.code[i], sums_.weight.data() + i * channels);
  }
  if (!placed) add(column.implicit_code, rest_.data());
}

template <class Cell>
void EntrySearch<Cell>::by_table(const NodeView<Cell>& view,
                                 const std::function<void(std::uint32_t, const Groups&)>& visit) {
  const EncodedTable& table = *view.problem.table;
  const int channels = view.channels(), classes = view.totals.classes;
  const std::size_t cells = table.entry_cells;
  table_.assign(channels * cells, Cell{0});
  for_each_row(view, [&](std::uint32_t row, std::uint32_t channel) {
    const auto weight = static_cast<Cell>(view.problem.weight(row));
    Cell* own = table_.data() + channel * cells;
    for (std::uint32_t cell : table.row_entries(row)) own[cell] += weight;
    if (channels > classes)
      for (std::uint32_t cell : table.row_entries(row))
        table_[classes * cells + cell] += static_cast<Cell>(view.problem.examples[row]);
  });
  for (std::uint32_t c : table.entry_columns) {
    const EncodedColumn& column = table.columns[c];
    sums_.code.clear();
    sums_.weight.clear();
    for (std::uint32_t code = 0; code < column.codes(); ++code) {
      const Cell* at = table_.data() + column.first_cell + code;
      Cell any = 0;
      for (int k = 0; k < classes; ++k) any |= at[k * cells];
      if (any == 0) continue;
      sums_.code.push_back(code);
      for (int k = 0; k < channels; ++k) sums_.weight.push_back(static_cast<double>(at[k * cells]));
    }
    if (sums_.code.empty()) continue;
    make_groups(view, column);
    visit(c, groups_);
  }
}

template <class Cell>
void EntrySearch<Cell>::by_sorting(const NodeView<Cell>& view, std::size_t count,
                                   const std::function<void(std::uint32_t, const Groups&)>& visit) {
  const EncodedTable& table = *view.problem.table;
  const int channels = view.channels(), classes = view.totals.classes;
  entries_.clear();
  entries_.reserve(count);
  for_each_row(view, [&](std::uint32_t row, std::uint32_t channel) {
    const auto weight = static_cast<Cell>(view.problem.weight(row));
    const auto examples = static_cast<Cell>(view.examples(row));
    for (std::uint32_t cell : table.row_entries(row)) entries_.push_back({cell, channel, weight, examples});
  });
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
  std::size_t at = 0;
  auto next_column = table.entry_columns.begin();
  while (at < entries_.size()) {
    const auto past = std::upper_bound(
        next_column, table.entry_columns.end(), entries_[at].cell,
        [&](std::uint32_t cell, std::uint32_t c) { return cell < table.columns[c].first_cell; });
    next_column = past - 1;
    const EncodedColumn& column = table.columns[*next_column];
    sums_.code.clear();
    sums_.weight.clear();
    while (at < entries_.size() && entries_[at].cell - column.first_cell < column.codes()) {
      const std::uint32_t cell = entries_[at].cell;
      sums_.code.push_back(cell - column.first_cell);
      sums_.weight.resize(sums_.weight.size() + channels, 0.0);
      double* sum = sums_.weight.data() + sums_.weight.size() - channels;
      for (; at < entries_.size() && entries_[at].cell == cell; ++at) {
        sum[entries_[at].channel] += static_cast<double>(entries_[at].weight);
        if (channels > classes) sum[classes] += static_cast<double>(entries_[at].examples);
      }
    }
    make_groups(view, column);
    visit(*next_column, groups_);
  }
}

template <class Cell>
void EntrySearch<Cell>::run(const NodeView<Cell>& view,
                            const std::function<void(std::uint32_t, const Groups&)>& visit) {
  const EncodedTable& table = *view.problem.table;
  if (table.entry_columns.empty()) return;
  std::size_t count = 0;
  for_each_row(view, [&](std::uint32_t row, std::uint32_t) { count += table.row_entries(row).size(); });
  if (count == 0) return;
  if (count * 4 >= table.entry_cells) by_table(view, visit);
  else by_sorting(view, count, visit);
}

template class EntrySearch<std::uint32_t>;
template class EntrySearch<std::int64_t>;

}  // namespace hardwood
