// One function per subject adds its names to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace hardwood {

void register_enums(nanobind::module_& m);
void register_encode(nanobind::module_& m);
void register_draft(nanobind::module_& m);
void register_grow(nanobind::module_& m);
void register_boost(nanobind::module_& m);
void register_messages(nanobind::module_& m);
void register_part_tables(nanobind::module_& m);
void register_parts(nanobind::module_& m);
void register_predict(nanobind::module_& m);
void register_scoring(nanobind::module_& m);
void register_shap(nanobind::module_& m);
void register_change(nanobind::module_& m);
void register_prune(nanobind::module_& m);
void register_pool(nanobind::module_& m);
void register_trials(nanobind::module_& m);

}  // namespace hardwood
