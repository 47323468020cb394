// Grown trees' arrays as Python dicts.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "tree/tree.hpp"

namespace hardwood {

nanobind::dict tree_to_python(Tree tree);

// Of many trees: to make an array costs more than to make a part of one, so theirs are parts of arrays in which
// the trees follow one after the other.
std::vector<nanobind::dict> trees_to_python(const std::vector<Tree>& trees);

// What lists of the trees have in common: of each list, its part of one array.
template <class T, class ListOf>
std::vector<nanobind::object> parts_of_one(std::size_t count, ListOf list_of) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) total += list_of(i).size();
  std::vector<T> all;
  all.reserve(total);
  for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), list_of(i).begin(), list_of(i).end());
  const nanobind::object whole = to_numpy(std::move(all));
  std::vector<nanobind::object> out;
  std::size_t end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = end;
    end += list_of(i).size();
    out.push_back(whole[nanobind::slice(begin, end)]);
  }
  return out;
}

}  // namespace hardwood
