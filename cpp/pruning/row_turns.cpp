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
  else load_rows(in, row, row + 1, &x);
  return x;
}

}  // namespace

Turn RowTurns::number_turn(std::int32_t split, double x) const {
  if (x != x) return {unseen_routes_[split].missing_branch, true};
  const double* cut = tree_.thresholds + tree_.cut_begin[split];
  return {static_cast<std::int32_t>(std::lower_bound(cut, cut + tree_.cut_count[split], x) - cut)};
}

Turn RowTurns::integer_turn(std::int32_t split, const ColumnInput& in, std::size_t row) const {
  if (in.missing && in.missing[row]) return {unseen_routes_[split].missing_branch, true};
  std::uint64_t key;
  std::memcpy(&key, in.data + static_cast<std::ptrdiff_t>(row) * in.stride, sizeof key);
  const std::uint64_t flip = key_flip(in.kind);
  const std::int64_t* cut = tree_.integer_thresholds + tree_.cut_begin[split];
  std::int32_t out = 0;
  while (out < tree_.cut_count[split] && (key ^ flip) > (std::bit_cast<std::uint64_t>(cut[out]) ^ flip)) ++out;
  return {out};
}

Turn RowTurns::turn(std::int32_t split, std::size_t row) const {
  const ColumnInput& in = inputs_[tree_.feature[split]];
  if (in.kind == ColumnKind::integer || in.kind == ColumnKind::unsigned_integer)
    return integer_turn(split, in, row);
  const double x = value_of(in, row);
  if (in.kind != ColumnKind::category) return number_turn(split, x);
  return category_turn(tree_, unseen_routes_[split], split, static_cast<std::int32_t>(x));
}

}  // namespace hardwood
