#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/columns.hpp"
#include "bind/flat_array.hpp"
#include "bind/lock.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "predict/row_blocks.hpp"
#include "predict/scoring_forest.hpp"

namespace hardwood {

namespace {

// What routing reads of a Python `Tree`, copied.
Tree routed_tree(nb::handle tree) {
  Tree out;
  const auto copy = [&]<class T>(std::vector<T>& member, const char* name) {
    member = to_vector(nb::cast<FlatArray<T>>(tree.attr(name)));
  };
  copy(out.parent, "parent");
  read_routing(out, copy);
  return out;
}

void init_forest(ScoringForest* forest, nb::list trees, nb::list addends, nb::list outputs_of_leaves,
                 std::size_t outputs, const std::vector<int>& kinds) {
  std::vector<ScoredTree> scored;
  for (std::size_t t = 0; t < trees.size(); ++t)
    scored.push_back({routed_tree(trees[t]), to_vector(nb::cast<FlatArray<double>>(addends[t])),
                      to_vector(nb::cast<FlatArray<std::int32_t>>(outputs_of_leaves[t]))});
  std::vector<ColumnKind> of_columns;
  for (int kind : kinds) of_columns.push_back(static_cast<ColumnKind>(kind));
  new (forest) ScoringForest(std::move(scored), outputs, std::move(of_columns));
}

nb::object scores_of(const ScoringForest& forest, std::span<const ColumnInput> inputs, std::size_t rows,
                     int threads) {
  std::vector<double> score(rows * forest.outputs(), 0.0);
  {
    const ReleasedForRows released(rows * forest.trees());
    Pool pool(useful_threads(rows, threads));
    forest.score(inputs, rows, score.data(), pool);
  }
  return to_numpy(std::move(score));
}

nb::object score_columns(const ScoringForest& forest, nb::list columns, std::size_t rows, int threads) {
  const BoundColumns bound = bind_columns(columns, rows);
  return scores_of(forest, bound.inputs, rows, threads);
}

// A column of a matrix is a view of numbers; only those that the trees use are looked at.
nb::object score_matrix(const ScoringForest& forest, nb::ndarray<nb::ro, nb::ndim<2>> matrix, int threads) {
  const UsedColumns& used = forest.used();
  if (!forest.numeric())
    throw std::invalid_argument("a matrix has numeric columns alone; the trees use others");
  if (matrix.shape(1) != used.columns())
    throw std::invalid_argument("the matrix has another number of columns than the forest was made for");
  std::vector<ColumnInput> inputs(used.columns());
  const auto width = static_cast<std::ptrdiff_t>(matrix.itemsize());
  const auto* data = static_cast<const std::byte*>(matrix.data());
  for (std::size_t s = 0; s < used.size(); ++s) {
    const std::int32_t feature = used.feature(static_cast<std::int32_t>(s));
    ColumnInput& in = inputs[feature];
    in.type = value_type(matrix.dtype());
    in.data = data + feature * matrix.stride(1) * width;
    in.stride = matrix.stride(0) * width;
    in.count = matrix.shape(0);
  }
  return scores_of(forest, inputs, matrix.shape(0), threads);
}

}  // namespace

void register_scoring(nb::module_& m) {
  nb::class_<ScoringForest>(m, "ScoringForest")
      .def("__init__", init_forest, nb::arg("trees"), nb::arg("addends"), nb::arg("outputs_of_leaves"),
           nb::arg("outputs"), nb::arg("kinds"))
      .def_prop_ro("numeric", &ScoringForest::numeric)
      .def("score", score_columns, nb::arg("columns"), nb::arg("rows"), nb::arg("threads"))
      .def("score_matrix", score_matrix, nb::arg("matrix"), nb::arg("threads"));
}

}  // namespace hardwood
