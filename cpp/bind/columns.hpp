// Python columns -> views that the core reads.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "data/input.hpp"

namespace hardwood {

namespace nb = nanobind;

// Keeps the arrays alive while the views are used.
struct BoundColumns {
  std::vector<ColumnInput> inputs;
  std::vector<nb::ndarray<nb::ro>> arrays;
};

// The core's name of a dtype; an invalid_argument where it has none.
ValueType value_type(nb::dlpack::dtype type);

// Each item is None (a column that is not needed) or (kind, values, missing, rows, categories).
BoundColumns bind_columns(nb::list columns, std::size_t rows);

}  // namespace hardwood
