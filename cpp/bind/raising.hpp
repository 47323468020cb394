// Changes of surviving nodes, trials of raising and their answers, between Python and the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bind/flat_array.hpp"
#include "distributed/surviving_rows.hpp"
#include "distributed/trial.hpp"

namespace hardwood {

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

// (node,) for a new leaf; (node, raised, missing, unseen, defaults) after raising.
inline nb::tuple change_to_python(const Change& change) {
  if (change.raised < 0) return nb::make_tuple(change.node);
  const std::vector<std::int32_t> missing(change.met.missing.begin(), change.met.missing.end());
  const Pairs unseen(change.met.unseen.begin(), change.met.unseen.end());
  return nb::make_tuple(change.node, change.raised, missing, unseen, change.defaults);
}

inline Change change_from_python(const nb::tuple& given) {
  Change out{nb::cast<std::int32_t>(given[0]), -1, {}, {}, {}};
  if (given.size() == 1) return out;
  out.raised = nb::cast<std::int32_t>(given[1]);
  for (std::int32_t split : nb::cast<std::vector<std::int32_t>>(given[2])) out.met.missing.insert(split);
  for (const auto& pair : nb::cast<Pairs>(given[3])) out.met.unseen.insert(pair);
  out.defaults = nb::cast<Pairs>(given[4]);
  return out;
}

inline std::vector<Trial> trials_from_python(const FlatArray<std::int32_t>& nodes,
                                             const FlatArray<std::int32_t>& heaviest,
                                             const FlatArray<std::int64_t>& rows) {
  if (heaviest.shape(0) != nodes.shape(0) || rows.shape(0) != nodes.shape(0))
    throw std::invalid_argument("every trial needs a node, a branch and a number of rows");
  std::vector<Trial> out;
  for (std::size_t i = 0; i < nodes.shape(0); ++i)
    out.push_back({nodes.data()[i], heaviest.data()[i], rows.data()[i]});
  return out;
}

// The tree's arrays by name, and `cuts`; the caller keeps them alive.
inline GrownTree grown_tree_from_python(const nb::dict& arrays) {
  const auto whole = [&](const char* name) { return nb::cast<FlatArray<std::int32_t>>(arrays[name]); };
  const auto begin = [&](const char* name) { return nb::cast<FlatArray<std::int64_t>>(arrays[name]); };
  GrownTree out;
  out.view.nodes = whole("first_child").shape(0);
  out.view.first_child = whole("first_child").data();
  out.view.branches = whole("branches").data();
  out.view.feature = whole("feature").data();
  out.view.cut_begin = begin("cut_begin").data();
  out.view.cut_count = whole("cut_count").data();
  out.view.group_begin = begin("group_begin").data();
  out.view.group_count = whole("group_count").data();
  out.view.group_codes = whole("group_codes").data();
  out.view.group_branches = whole("group_branches").data();
  out.view.missing_branch = whole("missing_branch").data();
  out.view.default_branch = whole("default_branch").data();
  out.missing_seen = nb::cast<FlatArray<std::uint8_t>>(arrays["missing_seen"]).data();
  out.cuts = nb::cast<FlatArray<std::uint64_t>>(arrays["cuts"]).data();
  return out;
}

}  // namespace hardwood
