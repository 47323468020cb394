#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "base/exact_total.hpp"
#include "bind/arrays.hpp"
#include "bind/columns.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "data/encoder.hpp"
#include "data/pair_table.hpp"

namespace hardwood {

namespace {

EncodedTable encode_columns(nb::list columns, std::size_t rows, int threads) {
  const BoundColumns bound = bind_columns(columns, rows);
  const Poll poll = python_poll();
  nb::gil_scoped_release release;
  Pool pool(threads);
  return encode(bound.inputs, rows, pool, poll);
}

double total_of(nb::ndarray<const double, nb::ndim<1>, nb::c_contig> weights) {
  return exact_total({weights.data(), weights.shape(0)});
}

bool has_missing(const EncodedTable& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const EncodedColumn& column) { return column.has_missing; });
}

nb::object addends_of(nb::ndarray<const double, nb::ndim<1>, nb::c_contig> weights) {
  return to_numpy(exact_addends({weights.data(), weights.shape(0)}));
}

nb::list storages(const EncodedTable& table) {
  static const char* const names[] = {"constant", "lane", "bundle", "entries"};
  nb::list out;
  for (const EncodedColumn& column : table.columns) out.append(names[static_cast<int>(column.storage)]);
  return out;
}

}  // namespace

void register_encode(nb::module_& m) {
  static nb::object error = nb::exception<InfiniteValue>(m, "InfiniteValueError", PyExc_ValueError);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const InfiniteValue& infinite) {
      PyErr_SetObject(error.ptr(), nb::int_(infinite.column).ptr());
    }
  });
  nb::class_<EncodedTable>(m, "EncodedTable")
      .def_prop_ro("rows", [](const EncodedTable& t) { return t.rows; })
      .def("make_pairs", &make_pairs, nb::arg("classes"))
      .def_prop_ro("has_missing", has_missing)
      .def_prop_ro("storages", storages);
  m.def("encode", encode_columns, nb::arg("columns"), nb::arg("rows"), nb::arg("threads"));
  m.def("exact_total", total_of, nb::arg("weights"));
  m.def("exact_addends", addends_of, nb::arg("weights"));
}

}  // namespace hardwood
