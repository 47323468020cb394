#include "distributed/code_branches.hpp"

namespace hardwood {

CodeBranches::CodeBranches(const ColumnPlan& plan, const Split& split, std::int32_t missing) {
  const std::uint32_t values = plan.values();
  of_code.assign(values + 1, split.default_branch);
  of_code[values] = missing;
  if (plan.kind == ColumnKind::category) {
    for (std::size_t i = 0; i < split.codes.size(); ++i) of_code[split.codes[i]] = split.branch_of[i];
    return;
  }
  if (!plan.bucketed()) {
    for (std::uint32_t code = 0; code < values; ++code) of_code[code] = split.interval_branch(code);
    return;
  }
  asks.assign(values + 1, 0);
  for (std::uint32_t b = 0; b < values; ++b) {
    const std::uint64_t first = b == 0 ? 0 : plan.keys[b - 1] + 1;
    const std::uint64_t last = b + 1 == values ? ~std::uint64_t{0} : plan.keys[b];
    of_code[b] = split.interval_branch(first);
    const bool wanted = !split.cuts.empty() && (b == split.bucket || b == split.next_bucket);
    asks[b] = wanted || split.interval_branch(last) != of_code[b];
  }
}

}  // namespace hardwood
