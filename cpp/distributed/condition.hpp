// A node's question in the codes that all parts share.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/part_table.hpp"
#include "search/candidate.hpp"

namespace hardwood {

struct Condition {
  std::uint32_t column = 0;
  std::int32_t arity = 2;
  // Numeric: a row's branch is the number of cuts below its key (bucketed) or code (coded).
  std::vector<std::uint64_t> cuts;
  // Category: codes with a branch of their own; the others take the default.
  std::vector<std::uint32_t> codes;
  std::vector<std::int32_t> branches;
  std::int32_t missing_branch = 0, default_branch = 0;
  // Bucketed, one cut: the buckets on its two sides, whose extreme keys are wanted.
  std::uint32_t group = none, next_group = none;
};

// The branch of every code of a column.
struct CodeBranches {
  std::vector<std::int32_t> of_code;  // by code, missing last
  std::vector<char> asks;             // bucketed: by bucket

  CodeBranches(const ColumnPlan& plan, const Condition& condition);
};

inline std::int32_t branch_of_key(const Condition& condition, std::uint64_t key) {
  std::int32_t branch = 0;
  for (std::uint64_t cut : condition.cuts) branch += cut < key ? 1 : 0;
  return branch;
}

}  // namespace hardwood
