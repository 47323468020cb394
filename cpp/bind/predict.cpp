#include "predict/predict.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bind/arrays.hpp"
#include "bind/columns.hpp"
#include "bind/lock.hpp"
#include "bind/register.hpp"
#include "bind/tree_view.hpp"
#include "predict/row_blocks.hpp"

namespace hardwood {

TreeView view_of(nb::handle tree) {
  TreeView view;
  view.nodes = nb::cast<nb::ndarray<const std::int32_t, nb::ndim<1>>>(tree.attr("parent")).shape(0);
  read_routing(view, [&]<class T>(const T*& member, const char* name) { member = array_of<T>(tree, name); });
  return view;
}

namespace {

nb::object find_leaves_of(nb::handle tree, nb::list columns, std::size_t rows, int threads) {
  const TreeView view = view_of(tree);
  const BoundColumns bound = bind_columns(columns, rows);
  std::vector<std::int32_t> leaf(rows);
  {
    const ReleasedForRows released(rows);
    Pool pool(useful_threads(rows, threads));
    find_leaves(view, bound.inputs, rows, leaf.data(), pool);
  }
  return to_numpy(std::move(leaf));
}

// The leaves (-1: several) and the combined class shares of a tree with fractional examples.
nb::object combine_shares_of(nb::handle tree, nb::ndarray<const double, nb::ndim<2>, nb::c_contig> shares,
                             nb::list columns, std::size_t rows, int threads) {
  const FractionalTree fractional{view_of(tree), array_of<double>(tree, "share"), shares.data(),
                                  shares.shape(1)};
  const BoundColumns bound = bind_columns(columns, rows);
  std::vector<std::int32_t> leaf(rows);
  std::vector<double> out(rows * fractional.classes);
  {
    const ReleasedForRows released(rows);
    Pool pool(useful_threads(rows, threads));
    combine_shares(fractional, bound.inputs, rows, leaf.data(), out.data(), pool);
  }
  return nb::make_tuple(to_numpy(std::move(leaf)), to_numpy(std::move(out)));
}

}  // namespace

void register_predict(nb::module_& m) {
  m.def("find_leaves", find_leaves_of, nb::arg("tree"), nb::arg("columns"), nb::arg("rows"),
        nb::arg("threads"));
  m.def("combine_shares", combine_shares_of, nb::arg("tree"), nb::arg("shares"), nb::arg("columns"),
        nb::arg("rows"), nb::arg("threads"));
}

}  // namespace hardwood
