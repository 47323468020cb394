// The branches that a part's rows take at a split, by their codes and keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/portable.hpp"
#include "distributed/part_table.hpp"
#include "search/split.hpp"

namespace hardwood {

// The largest key at or below a bucketed column's cut and the smallest above it, of the rows looked at.
struct KeysBesideCut {
  std::uint64_t below = 0, above = ~std::uint64_t{0};
};

// The branch of every code of a column; missing values take the branch `missing`.
struct CodeBranches {
  std::vector<std::int32_t> of_code;  // by code, missing last
  std::vector<char> asks;             // bucketed: by bucket, whether a row's key is to be looked at

  CodeBranches(const ColumnPlan& plan, const Split& split, std::int32_t missing);
};

// Calls use(branch_of), branch_of(row, later) being the branch of a row; `later` is one that is asked for soon.
template <class Use>
auto with_branches(const PartTable& table, const TablePlan& plans, const Split& split, std::int32_t missing,
                   KeysBesideCut& beside, Use use) {
  const ColumnPlan& plan = plans.columns[split.column];
  if (plan.coding == PartCoding::constant) return use([](std::uint32_t, std::uint32_t) { return 0; });
  const CodeBranches branches(plan, split, missing);
  const auto& of_code = branches.of_code;
  const std::uint64_t* keys = table.keys[split.column];
  if (plan.coding == PartCoding::uncoded)
    return use([&](std::uint32_t row, std::uint32_t) {
      return of_code[keys[row] == missing_key ? plan.categories : keys[row]];
    });
  const PartColumn& column = table.columns[split.column];
  const LaneView lane = lane_of(table, column);
  std::vector<std::int32_t> of_lane = of_code;
  if (column.storage == Storage::bundle) {
    of_lane.clear();
    for (std::uint8_t digit : column.digits) of_lane.push_back(of_code[digit]);
  }
  if (!plan.bucketed())
    return use([&](std::uint32_t row, std::uint32_t later) {
      prefetch(lane.words.at(later));
      return of_lane[lane[row]];
    });
  const std::uint64_t cut = split.cuts.empty() ? ~std::uint64_t{0} : split.cuts[0];
  return use([&](std::uint32_t row, std::uint32_t later) {
    prefetch(lane.words.at(later));
    const std::uint32_t bucket = lane[row];
    if (!branches.asks[bucket]) return of_code[bucket];
    const std::uint64_t key = keys[row];
    if (key <= cut) beside.below = std::max(beside.below, key);
    else beside.above = std::min(beside.above, key);
    return split.interval_branch(key);
  });
}

}  // namespace hardwood
