// One function per subject adds its names to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace hardwood {

void register_encode(nanobind::module_& m);
void register_grow(nanobind::module_& m);
void register_route(nanobind::module_& m);

}  // namespace hardwood
