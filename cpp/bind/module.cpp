#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <string>

#include "base/isa.hpp"
#include "bind/register.hpp"

namespace hardwood {

namespace {

void limit_isa_by_name(const std::string& name) {
  if (name == "portable") return limit_isa(Isa::portable);
  if (name == "avx2") return limit_isa(Isa::avx2);
  if (name == "avx512") return limit_isa(Isa::avx512);
  throw nanobind::value_error("instruction set must be portable, avx2 or avx512");
}

std::string current_isa_name() {
  switch (current_isa()) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    default:
      return "portable";
  }
}

}  // namespace

}  // namespace hardwood

NB_MODULE(_core, m) {
  if constexpr (std::endian::native != std::endian::little)
    throw nanobind::import_error(
        "hardwood runs on CPUs that store the low byte of a number first (x86-64, aarch64 and others); this "
        "CPU "
        "stores the high byte first. Train and predict elsewhere, or export models as SQL, Python or C.");
  // A fitted model that lives until the interpreter ends keeps its forest: that is no leak to report.
  nanobind::set_leak_warnings(false);
  hardwood::register_enums(m);  // first: signatures of the others name them
  hardwood::register_encode(m);
  hardwood::register_draft(m);
  hardwood::register_grow(m);
  hardwood::register_boost(m);
  hardwood::register_messages(m);
  hardwood::register_part_tables(m);
  hardwood::register_parts(m);
  hardwood::register_predict(m);
  hardwood::register_scoring(m);
  hardwood::register_shap(m);
  hardwood::register_change(m);
  hardwood::register_prune(m);
  hardwood::register_pool(m);
  hardwood::register_trials(m);
  // For tests, which compare the instruction sets with each other.
  m.def("limit_instruction_set", hardwood::limit_isa_by_name, nanobind::arg("widest"));
  m.def("instruction_set", hardwood::current_isa_name);
}
