#include "distributed/condition.hpp"

#include <algorithm>

namespace hardwood {

CodeBranches::CodeBranches(const ColumnPlan& plan, const Condition& condition) {
  const std::uint32_t values = plan.values();
  of_code.assign(values + 1, condition.default_branch);
  of_code[values] = condition.missing_branch;
  if (plan.kind == ColumnKind::category) {
    for (std::size_t i = 0; i < condition.codes.size(); ++i)
      of_code[condition.codes[i]] = condition.branches[i];
    return;
  }
  if (!plan.bucketed()) {
    for (std::uint32_t code = 0; code < values; ++code) of_code[code] = branch_of_key(condition, code);
    return;
  }
  asks.assign(values + 1, 0);
  for (std::uint32_t b = 0; b < values; ++b) {
    const std::uint64_t first = b == 0 ? 0 : plan.keys[b - 1] + 1;
    const std::uint64_t last = b + 1 == values ? ~std::uint64_t{0} : plan.keys[b];
    of_code[b] = branch_of_key(condition, first);
    const bool wanted = b == condition.group || b == condition.next_group;
    asks[b] = wanted || branch_of_key(condition, last) != of_code[b];
  }
}

}  // namespace hardwood
