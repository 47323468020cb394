// The stored form of a part, as Python keeps it.
#pragma once

#include <nanobind/nanobind.h>

#include "distributed/part_table.hpp"

namespace hardwood {

// The arrays are kept alive by the caller.
PartTable table_from_python(const nanobind::dict& stored, std::size_t rows, const TablePlan& plan);

}  // namespace hardwood
