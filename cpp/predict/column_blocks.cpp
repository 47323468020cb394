#include "predict/column_blocks.hpp"

#include "data/load.hpp"

namespace hardwood {

namespace {

bool read_in_place(const ColumnInput& in) {
  return in.type == ValueType::f64 && !in.missing && !in.rows && in.kind == ColumnKind::numeric;
}

std::vector<ColumnKind> kinds_of(std::span<const ColumnInput> inputs) {
  std::vector<ColumnKind> kinds;
  for (const ColumnInput& in : inputs) kinds.push_back(in.kind);
  return kinds;
}

}  // namespace

UsedColumns::UsedColumns(std::span<const ColumnInput> inputs) : UsedColumns(kinds_of(inputs)) {}

std::int32_t UsedColumns::slot_of(std::int32_t feature) {
  if (slot_[feature] < 0) {
    slot_[feature] = static_cast<std::int32_t>(features_.size());
    features_.push_back(feature);
  }
  return slot_[feature];
}

ColumnBlock::ColumnBlock(const UsedColumns& used, std::span<const ColumnInput> inputs, std::size_t most_rows)
    : used_(used), inputs_(inputs), most_rows_(most_rows), slots_(used.size()) {
  std::size_t to_load = 0;
  for (std::size_t s = 0; s < used.size(); ++s)
    to_load += read_in_place(input(static_cast<std::int32_t>(s))) ? 0 : 1;
  loaded_.resize(to_load * most_rows);
}

void ColumnBlock::load(std::size_t from, std::size_t count) {
  from_ = from;
  double* buffer = loaded_.data();
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const ColumnInput& in = input(static_cast<std::int32_t>(s));
    if (read_in_place(in)) {
      slots_[s] = {in.data + static_cast<std::ptrdiff_t>(from) * in.stride, in.stride};
      continue;
    }
    if (in.kind == ColumnKind::numeric || in.kind == ColumnKind::category)
      load_rows(in, from, from + count, buffer);
    slots_[s] = {reinterpret_cast<const std::byte*>(buffer), sizeof(double)};
    buffer += most_rows_;
  }
}

}  // namespace hardwood
