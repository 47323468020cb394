// NumPy arrays of numbers as the core takes them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "bind/arrays.hpp"

namespace hardwood {

namespace nb = nanobind;
template <class T>
using FlatArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig>;

template <class T>
std::vector<T> to_vector(const FlatArray<T>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

}  // namespace hardwood
