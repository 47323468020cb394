// Sending a node's rows down a split.
#pragma once

#include <cstdint>
#include <vector>

#include "data/problem.hpp"
#include "search/branching.hpp"
#include "search/candidate.hpp"

namespace hardwood {

struct Division {
  NodeRows left, right;
  // Numeric: the largest code present on the left and the smallest on the right.
  std::uint32_t left_code = none, right_code = none;
};

// Reorders rows[node.begin, node.end): the left branch's rows first, both by class and in order.
// scratch is as long as rows; only the node's range is used. Rows with a category, or a missing value,
// that the split was not made from go to the default branch.
Division divide(const Problem& problem, const NodeRows& node, const Candidate& split, bool default_right,
                std::uint32_t* rows, std::uint32_t* scratch);

// The same for several branches: their rows one after the other, each branch's by class and in order.
std::vector<NodeRows> divide(const Problem& problem, const NodeRows& node, const Branching& split,
                             std::uint32_t* rows, std::uint32_t* scratch);

}  // namespace hardwood
