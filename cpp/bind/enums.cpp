// The core's enumerations by name, so that Python numbers nothing by hand.
#include <nanobind/nanobind.h>

#include "bind/register.hpp"
#include "boosting/boosting_store.hpp"
#include "boosting/leaf_factors.hpp"
#include "criteria/criterion.hpp"
#include "data/input.hpp"
#include "distributed/part_table.hpp"
#include "growing/growth_rules.hpp"

namespace hardwood {

namespace nb = nanobind;

// Arithmetic, since options and arrays hold some of them as numbers. Values have the names that users give.
void register_enums(nb::module_& m) {
  nb::enum_<Criterion>(m, "Criterion", nb::is_arithmetic())
      .value("km", Criterion::km)
      .value("gini", Criterion::gini)
      .value("entropy", Criterion::entropy)
      .value("error", Criterion::error)
      .value("stump", Criterion::stump);
  nb::enum_<LeafChoice>(m, "LeafChoice", nb::is_arithmetic())
      .value("drop", LeafChoice::drop)
      .value("weight", LeafChoice::weight)
      .value("number", LeafChoice::number);
  nb::enum_<Search>(m, "Search", nb::is_arithmetic())
      .value("exhaustive", Search::exhaustive)
      .value("auto", Search::automatic)
      .value("adaptive", Search::adaptive)
      .value("quick", Search::quick);
  nb::enum_<Variant>(m, "Variant", nb::is_arithmetic())
      .value("discrete", Variant::discrete)
      .value("real", Variant::real)
      .value("gentle", Variant::gentle)
      .value("logistic", Variant::logistic);
  nb::enum_<Stop>(m, "Stop", nb::is_arithmetic())
      .value("not_yet", Stop::not_yet)
      .value("no_error", Stop::no_error)
      .value("chance", Stop::chance)
      .value("nothing_left", Stop::nothing_left);
  nb::enum_<ColumnKind>(m, "ColumnKind", nb::is_arithmetic())
      .value("numeric", ColumnKind::numeric)
      .value("integer", ColumnKind::integer)
      .value("unsigned", ColumnKind::unsigned_integer)
      .value("category", ColumnKind::category);
  nb::enum_<PartCoding>(m, "PartCoding", nb::is_arithmetic())
      .value("constant", PartCoding::constant)
      .value("coded", PartCoding::coded)
      .value("bucketed", PartCoding::bucketed)
      .value("category", PartCoding::category)
      .value("uncoded", PartCoding::uncoded);
}

}  // namespace hardwood
