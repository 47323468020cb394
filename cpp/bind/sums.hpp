// Conditions, and arrays of numbers, between Python and the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bind/arrays.hpp"
#include "distributed/condition.hpp"
#include "distributed/part.hpp"

namespace hardwood {

namespace nb = nanobind;
template <class T>
using FlatArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig>;

template <class T>
std::vector<T> to_vector(const FlatArray<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

// (column, arity, cuts, codes, branches, missing branch, default branch, group, next group)

inline Condition condition_from_python(const nb::tuple& given, const TablePlan& plan) {
  Condition out;
  out.column = nb::cast<std::uint32_t>(given[0]);
  out.arity = nb::cast<std::int32_t>(given[1]);
  out.cuts = nb::cast<std::vector<std::uint64_t>>(given[2]);
  out.codes = nb::cast<std::vector<std::uint32_t>>(given[3]);
  out.branches = nb::cast<std::vector<std::int32_t>>(given[4]);
  out.missing_branch = nb::cast<std::int32_t>(given[5]);
  out.default_branch = nb::cast<std::int32_t>(given[6]);
  out.group = nb::cast<std::uint32_t>(given[7]);
  out.next_group = nb::cast<std::uint32_t>(given[8]);
  const auto fits = [&](std::int32_t branch) { return branch >= 0 && branch < out.arity; };
  bool good = out.column < plan.columns.size() && out.arity >= 2 && fits(out.missing_branch) &&
              fits(out.default_branch) && out.codes.size() == out.branches.size() &&
              out.cuts.size() < static_cast<std::size_t>(out.arity);
  for (std::int32_t branch : out.branches) good &= fits(branch);
  if (good)
    for (std::uint32_t code : out.codes) good &= code < plan.columns[out.column].values();
  if (!good) throw std::invalid_argument("a condition that does not fit the table");
  return out;
}

}  // namespace hardwood
