#include "pruning/row_turns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "data/load.hpp"
#include "tree/tree.hpp"

namespace hardwood {

namespace {

double value_of(const ColumnInput& in, std::size_t row) {
  double x;
  if (in.type == ValueType::f64 && !in.missing && !in.rows)
    std::memcpy(&x, in.data + static_cast<std::ptrdiff_t>(row) * in.stride, sizeof x);
  else
    load_rows(in, row, row + 1, &x);
  return x;
}

}  // namespace

RowTurns::RowTurns(const TreeView& tree, const std::uint8_t* missing_seen,
                   std::span<const ColumnInput> inputs)
    : tree_(tree), inputs_(inputs), habits_(tree.nodes) {
  for (std::size_t n = 0; n < tree.nodes; ++n)
    habits_[n] = {tree.missing_branch[n], tree.default_branch[n], missing_seen[n] != 0, {}};
}

Turn RowTurns::number_turn(std::int32_t split, double x) const {
  if (x != x) return {habits_[split].missing_branch, true};
  const double* cut = tree_.thresholds + tree_.cut_begin[split];
  return {static_cast<std::int32_t>(std::lower_bound(cut, cut + tree_.cut_count[split], x) - cut)};
}

Turn RowTurns::integer_turn(std::int32_t split, const ColumnInput& in, std::size_t row) const {
  if (in.missing && in.missing[row]) return {habits_[split].missing_branch, true};
  std::uint64_t key;
  std::memcpy(&key, in.data + static_cast<std::ptrdiff_t>(row) * in.stride, sizeof key);
  const std::uint64_t flip = key_flip(in.kind);
  const std::int64_t* cut = tree_.integer_thresholds + tree_.cut_begin[split];
  std::int32_t out = 0;
  while (out < tree_.cut_count[split] && (key ^ flip) > (std::bit_cast<std::uint64_t>(cut[out]) ^ flip))
    ++out;
  return {out};
}

Turn RowTurns::category_turn(std::int32_t split, std::int32_t code) const {
  const Habits& habits = habits_[split];
  if (code == -1) return {habits.missing_branch, true};
  const std::int32_t* first = tree_.group_codes + tree_.group_begin[split];
  const std::int32_t* last = first + tree_.group_count[split];
  const std::int32_t* at = std::lower_bound(first, last, code);
  if (at != last && *at == code) return {tree_.group_branches[tree_.group_begin[split] + (at - first)]};
  const auto added = habits.added.find(code);
  if (added != habits.added.end()) return {added->second};
  return {habits.default_branch, false, code};
}

Turn RowTurns::turn(std::int32_t split, std::size_t row) const {
  const ColumnInput& in = inputs_[tree_.feature[split]];
  if (in.kind == ColumnKind::integer || in.kind == ColumnKind::unsigned_integer)
    return integer_turn(split, in, row);
  const double x = value_of(in, row);
  return in.kind == ColumnKind::category ? category_turn(split, static_cast<std::int32_t>(x))
                                         : number_turn(split, x);
}

}  // namespace hardwood
