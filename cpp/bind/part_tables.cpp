// What a part tells of its columns, how all parts code them, and the codes themselves.
#include "bind/part_tables.hpp"

#include <nanobind/stl/vector.h>

#include "bind/columns.hpp"
#include "bind/flat_array.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "distributed/parts_store.hpp"
#include "distributed/summary.hpp"

namespace hardwood {

namespace {

nb::list summarise_columns(nb::list columns, std::size_t rows, int threads, std::size_t distinct,
                           std::size_t sample) {
  const BoundColumns bound = bind_columns(columns, rows);
  const Poll poll = python_poll();
  std::vector<ColumnSummary> found;
  {
    nb::gil_scoped_release release;
    Pool pool(threads);
    found = summarise(bound.inputs, rows, {distinct, sample}, pool, poll);
  }
  nb::list out;
  for (ColumnSummary& each : found)
    out.append(nb::make_tuple(to_numpy(std::move(each.keys)), each.complete, each.has_missing, each.whole));
  return out;
}

void init_plan(TablePlan* plan, nb::list columns) {
  new (plan) TablePlan;
  for (nb::handle item : columns) {
    const nb::tuple parts = nb::cast<nb::tuple>(item);
    ColumnPlan column;
    column.kind = static_cast<ColumnKind>(nb::cast<int>(parts[0]));
    column.coding = static_cast<PartCoding>(nb::cast<int>(parts[1]));
    column.missing_code = nb::cast<bool>(parts[2]);
    column.whole = nb::cast<bool>(parts[3]);
    column.categories = nb::cast<std::uint32_t>(parts[4]);
    column.keys = to_vector(nb::cast<FlatArray<std::uint64_t>>(parts[5]));
    if (column.codes() > lane_codes) throw std::invalid_argument("a column with too many codes for a lane");
    plan->columns.push_back(std::move(column));
  }
  plan->set_offsets();
}

nb::dict encode_columns_of_part(nb::list columns, std::size_t rows, const TablePlan& plan, int threads) {
  const BoundColumns bound = bind_columns(columns, rows);
  if (bound.inputs.size() != plan.columns.size()) throw std::invalid_argument("another number of columns");
  const Poll poll = python_poll();
  EncodedPart part;
  {
    nb::gil_scoped_release release;
    Pool pool(threads);
    part = encode_part(bound.inputs, rows, plan, pool, poll);
  }
  nb::list tiles, keys, layout, lanes;
  for (auto& words : part.tiles) tiles.append(to_numpy(std::move(words)));
  for (auto& each : part.keys) {
    if (each.empty()) keys.append(nb::none());
    else keys.append(to_numpy(std::move(each)));
  }
  for (PartColumn& column : part.table.columns)
    layout.append(
        nb::make_tuple(static_cast<int>(column.storage), column.lane, to_numpy(std::move(column.digits))));
  for (const Lane& lane : part.table.lanes) lanes.append(nb::make_tuple(lane.codes, lane.columns));
  nb::dict out;
  out["tiles"] = tiles;
  out["keys"] = keys;
  out["columns"] = layout;
  out["lanes"] = lanes;
  return out;
}

}  // namespace

PartTable table_from_python(const nb::dict& stored, std::size_t rows, const TablePlan& plan) {
  PartTable out;
  out.rows = rows;
  const auto words_of = [&](nb::handle object) {
    const auto array = nb::cast<FlatArray<std::uint64_t>>(object);
    if (array.shape(0) != rows) throw std::invalid_argument("a stored column has another number of rows");
    return array.data();
  };
  for (nb::handle words : nb::cast<nb::list>(stored["tiles"])) out.tiles.push_back(words_of(words));
  for (nb::handle keys : nb::cast<nb::list>(stored["keys"]))
    out.keys.push_back(keys.is_none() ? nullptr : words_of(keys));
  for (nb::handle item : nb::cast<nb::list>(stored["lanes"])) {
    const nb::tuple parts = nb::cast<nb::tuple>(item);
    out.lanes.push_back({nb::cast<std::uint32_t>(parts[0]), nb::cast<std::vector<std::uint32_t>>(parts[1])});
  }
  for (nb::handle item : nb::cast<nb::list>(stored["columns"])) {
    const nb::tuple parts = nb::cast<nb::tuple>(item);
    out.columns.push_back({static_cast<Storage>(nb::cast<int>(parts[0])), nb::cast<std::uint32_t>(parts[1]),
                           to_vector(nb::cast<FlatArray<std::uint8_t>>(parts[2]))});
  }
  bool good = out.columns.size() == plan.columns.size() && out.keys.size() == plan.columns.size() &&
              out.tiles.size() == (out.lanes.size() + tile_lanes - 1) / tile_lanes;
  for (std::size_t c = 0; good && c < plan.columns.size(); ++c) {
    const bool wants_keys = plan.columns[c].bucketed() || plan.columns[c].coding == PartCoding::uncoded;
    good = (!wants_keys || out.keys[c]) &&
           (!plan.columns[c].has_lane() || out.columns[c].lane < out.lanes.size()) &&
           (!plan.columns[c].bucketed() || out.columns[c].storage == Storage::lane);
  }
  if (!good) throw std::invalid_argument("the stored part does not fit the plan");
  return out;
}

void register_part_tables(nb::module_& m) {
  m.def("summarise", summarise_columns, nb::arg("columns"), nb::arg("rows"), nb::arg("threads"),
        nb::arg("distinct"), nb::arg("sample"));
  nb::class_<TablePlan>(m, "TablePlan")
      .def("__init__", init_plan, nb::arg("columns"))
      .def("with_class_column", with_class_column, nb::arg("classes"))
      .def(
          "uncoded_questions",
          [](const TablePlan& plan, std::int32_t node) {
            QuestionBatch out;
            ask_uncoded(plan, nullptr, node, out);
            return out;
          },
          nb::arg("node"));
  m.def("encode_part", encode_columns_of_part, nb::arg("columns"), nb::arg("rows"), nb::arg("plan"),
        nb::arg("threads"));
}

}  // namespace hardwood
