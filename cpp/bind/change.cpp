#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <new>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/flat_array.hpp"
#include "bind/poll.hpp"
#include "bind/register.hpp"
#include "explain/cheapest_change.hpp"

namespace hardwood {

namespace {

void init_cells(CellForest* forest, nb::dict arrays, std::int32_t outputs) {
  const auto read = [&]<class T>(std::vector<T>& member, const char* name) {
    member = to_vector(nb::cast<FlatArray<T>>(arrays[name]));
  };
  CellForest made;
  read(made.column_begin, "column_begin");
  read(made.tree_begin, "tree_begin");
  read(made.addend, "addend");
  read(made.place, "place");
  read(made.condition_begin, "condition_begin");
  read(made.condition_column, "condition_column");
  read(made.cells_begin, "cells_begin");
  read(made.allowed, "allowed");
  made.outputs = outputs;
  new (forest) CellForest(std::move(made));
}

AnswerRule rule_of(nb::dict told, std::int32_t outputs) {
  AnswerRule rule;
  rule.cut = nb::cast<double>(told["cut"]);
  rule.costs = to_vector(nb::cast<FlatArray<double>>(told["costs"]));
  rule.votes = nb::cast<bool>(told["votes"]);
  rule.slope = nb::cast<double>(told["slope"]);
  if (!rule.costs.empty() && rule.costs.size() != static_cast<std::size_t>(outputs) * outputs)
    throw std::invalid_argument("costs of mistakes must be per pair of classes");
  return rule;
}

// found, complete, cost, bound, cells, boxes
nb::object cheapest(const CellForest& forest, nb::ndarray<const double, nb::ndim<1>, nb::c_contig> cost,
                    nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig> own, std::int32_t target,
                    double below, double seconds, nb::dict rule) {
  if (static_cast<std::int64_t>(cost.shape(0)) != forest.column_begin.back() ||
      own.shape(0) != forest.columns())
    throw std::invalid_argument("costs must be per cell, own cells per column");
  ChangeRequest request{{cost.data(), cost.data() + cost.shape(0)},
                        {own.data(), own.data() + own.shape(0)},
                        target,
                        below,
                        seconds,
                        rule_of(rule, forest.outputs)};
  const Poll poll = python_poll();
  ChangeResult result;
  {
    nb::gil_scoped_release release;
    result = cheapest_change(forest, request, poll);
  }
  return nb::make_tuple(result.found, result.complete, result.cost, result.bound,
                        to_numpy(std::move(result.cells)), result.boxes);
}

}  // namespace

void register_change(nb::module_& m) {
  nb::class_<CellForest>(m, "CellForest")
      .def("__init__", init_cells, nb::arg("arrays"), nb::arg("outputs"))
      .def("cheapest_change", cheapest, nb::arg("cost"), nb::arg("own"), nb::arg("target"), nb::arg("below"),
           nb::arg("seconds"), nb::arg("rule"));
}

}  // namespace hardwood
