#include "search/binary/kept_slices.hpp"

#include <algorithm>
#include <array>

#include "base/portable.hpp"

namespace hardwood {

namespace {

// So many rows a slice and class make what is kept no larger than the codes of the rows.
constexpr std::size_t rows_a_kept_cell = 8;
// Of a smaller part of the node's weight the rows are read in order of code instead; to read one costs as much
// as to sum so many. Measured on 500,000 x 28, 300 rounds, one thread: 22.0 to 22.5 s with .1 to .15 and
// 4, 24.3 with .25 and 1.
constexpr double worth_summing = 0.125;
constexpr double rows_summed_a_read = 4;
// Of fewer rows than one in so many of the table, the next ones are not in the cache.
constexpr std::size_t scattered_from = 8;
// Slices and the places beside them into which missing values fall: a bucket may have one code.
constexpr std::size_t most_cells = 2 * (SliceCodes::most_slices + lane_codes);

std::size_t channels_of(const Problem& problem) {
  return static_cast<std::size_t>(problem.classes + (problem.examples ? 1 : 0));
}

std::size_t cells_of(const Problem& problem, std::uint32_t column) {
  return channels_of(problem) * problem.table->aids->slices.of(*problem.table, column).division.width;
}

// Columns that rows are added to together.
template <class Cell>
struct SummedColumns {
  static constexpr std::size_t most = KeptSlices<Cell>::at_once;
  std::size_t count = 0;
  std::array<const std::uint16_t*, most> codes{};  // by stored row
  std::array<Cell*, most> cells{};
  bool scattered = false;  // few of the stored rows are added
};

template <int Count, class Cell, class RowOf, class WeightOf>
void add_to(const SummedColumns<Cell>& columns, std::size_t rows, RowOf row_of, WeightOf weight_of) {
  const auto add = [&](std::size_t i) {
    const std::uint32_t row = row_of(i);
    const auto weight = static_cast<Cell>(weight_of(i));
    for (int k = 0; k < Count; ++k) columns.cells[k][columns.codes[k][row]] += weight;
  };
  std::size_t i = 0;
  if (columns.scattered)
    for (; i + ahead < rows; ++i) {
      const std::uint32_t next = row_of(i + ahead);
      for (int k = 0; k < Count; ++k) prefetch(columns.codes[k] + next);
      add(i);
    }
  for (; i < rows; ++i) add(i);
}

template <class Cell, class RowOf, class WeightOf>
void add_to(const SummedColumns<Cell>& columns, std::size_t rows, RowOf row_of, WeightOf weight_of) {
  switch (columns.count) {
    case 1:
      return add_to<1>(columns, rows, row_of, weight_of);
    case 2:
      return add_to<2>(columns, rows, row_of, weight_of);
    case 3:
      return add_to<3>(columns, rows, row_of, weight_of);
    default:
      return add_to<4>(columns, rows, row_of, weight_of);
  }
}

}  // namespace

template <class Cell>
SliceShelf<Cell>::SliceShelf(const Problem& problem) {
  least_rows_ = rows_a_kept_cell * SliceCodes::most_slices * channels_of(problem);
  cells_ = most_cells * channels_of(problem);
}

template <class Cell>
auto SliceShelf<Cell>::borrow(std::size_t cells) -> Buffer {
  Buffer out;
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      out = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!out) out.reset(new Cell[cells_]);
  std::fill_n(out.get(), cells, Cell{0});
  return out;
}

template <class Cell>
void SliceShelf<Cell>::give_back(Buffer buffer) {
  if (!buffer) return;
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffer));
}

template <class Cell>
void KeptSlices<Cell>::begin(SliceShelf<Cell>& shelf, const EncodedTable& table) {
  shelf_ = &shelf;
  sums_.resize(table.columns.size());
  above_.resize(table.columns.size());
}

template <class Cell>
void KeptSlices<Cell>::inherit(KeptSlices& above, std::vector<Branch> others) {
  if (!above.sums_.empty()) above_.swap(above.sums_);
  above.sums_.clear();
  others_ = std::move(others);
  other_rows_ = 0;
  for (const Branch& branch : others_) other_rows_ += branch.node->size();
}

// Adds what the branch's rows weigh to the sums of the columns, or takes it away.
template <class Cell>
void KeptSlices<Cell>::add(const Problem& problem, const Branch& branch, int sign,
                           std::span<const std::uint32_t> columns) {
  const EncodedTable& table = *problem.table;
  const StoredRow stored = table.stored;
  SummedColumns<Cell> summed;
  summed.count = columns.size();
  summed.scattered = scattered_from * branch.node->size() < table.rows;
  const auto add_channel = [&](const ClassRows& part, int channel, auto weight_of) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const SliceCodes::Column& column = table.aids->slices.of(table, columns[k]);
      summed.codes[k] = column.of_row.data();
      summed.cells[k] = sums_[columns[k]].get() + static_cast<std::size_t>(channel) * column.division.width;
    }
    const std::uint32_t* const rows = branch.rows + part.begin;
    const auto row_of = [rows](std::size_t i) { return rows[i]; };
    const auto stored_row_of = [rows, stored](std::size_t i) { return stored(rows[i]); };
    if (stored.pairs == 1) add_to(summed, part.end - part.begin, row_of, weight_of);
    else add_to(summed, part.end - part.begin, stored_row_of, weight_of);
  };
  for (const ClassRows& part : branch.node->classes) {
    const std::uint32_t* const rows = branch.rows + part.begin;
    const std::int64_t* const weights = branch.weights ? branch.weights + part.begin : nullptr;
    if (weights) add_channel(part, part.label, [=](std::size_t i) { return sign * weights[i]; });
    else add_channel(part, part.label, [&](std::size_t i) { return sign * problem.weight(rows[i]); });
    if (problem.examples)
      add_channel(part, problem.classes, [&](std::size_t i) { return sign * problem.examples[rows[i]]; });
  }
}

// By the sums of the branch where it has them, else by its rows.
template <class Cell>
void KeptSlices<Cell>::take_away(const Problem& problem, const Branch& branch,
                                 std::span<const std::uint32_t> columns) {
  std::array<std::uint32_t, at_once> unknown{};
  std::size_t count = 0;
  for (std::uint32_t c : columns) {
    const bool summed = !branch.kept->sums_.empty() && branch.kept->sums_[c];
    if (!summed) unknown[count++] = c;
    if (!summed) continue;
    const Cell* const from = branch.kept->sums_[c].get();
    Cell* const to = sums_[c].get();
    const std::size_t all = cells_of(problem, c);
    for (std::size_t i = 0; i < all; ++i) to[i] -= from[i];
  }
  if (count > 0) add(problem, branch, -1, {unknown.data(), count});
}

template <class Cell>
void KeptSlices<Cell>::prepare(const NodeView<Cell>& view, std::span<const Asked> columns) {
  std::array<std::uint32_t, at_once> corrected{}, summed{};
  std::size_t to_correct = 0, to_sum = 0;
  const auto rows = static_cast<double>(view.node.size()), others = static_cast<double>(other_rows_);
  for (const Asked& asked : columns) {
    const std::uint32_t c = asked.column;
    if (above_[c] && others <= rows_summed_a_read * asked.opened_part * rows) {
      sums_[c] = std::move(above_[c]);
      corrected[to_correct++] = c;
    } else if (asked.opened_part > worth_summing) {
      sums_[c] = shelf_->borrow(cells_of(view.problem, c));
      summed[to_sum++] = c;
    }
  }
  if (to_correct > 0)
    for (const Branch& branch : others_) take_away(view.problem, branch, {corrected.data(), to_correct});
  if (to_sum > 0) add(view.problem, {&view.node, view.rows, view.weights, nullptr}, 1, {summed.data(), to_sum});
}

template <class Cell>
void KeptSlices<Cell>::end() {
  for (auto& each : above_) shelf_->give_back(std::move(each));
  above_.clear();
  others_.clear();
}

template <class Cell>
void KeptSlices<Cell>::clear() {
  for (auto& each : sums_) shelf_->give_back(std::move(each));
  sums_.clear();
}

template class SliceShelf<std::uint32_t>;
template class SliceShelf<std::int64_t>;
template class KeptSlices<std::uint32_t>;
template class KeptSlices<std::int64_t>;

}  // namespace hardwood
