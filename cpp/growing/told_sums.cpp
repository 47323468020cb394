#include "growing/told_sums.hpp"

namespace hardwood {

namespace {

void add_group(const ToldSums& sums, std::size_t group, std::int32_t branch, Split& split) {
  double* to = split.weights.data() + static_cast<std::size_t>(branch) * sums.classes;
  for (std::size_t k = 0; k < sums.classes; ++k) to[k] += sums.of(group)[k];
}

void divide_categories(const ToldSums& sums, const Instruction& told, Split& split) {
  std::vector<std::int32_t> branch(sums.groups, -1);
  for (std::size_t i = 0; i < told.codes.size(); ++i)
    if (told.codes[i] < sums.groups) branch[told.codes[i]] = told.branch_of[i];
  for (std::size_t code = 0; code < sums.groups; ++code)
    if (branch[code] >= 0) add_group(sums, code, branch[code], split);
  split.set_default_branch();
  for (std::size_t code = 0; code < sums.groups; ++code) {
    if (branch[code] < 0) {
      if (!sums.present(code)) continue;
      add_group(sums, code, branch[code] = split.default_branch, split);
    }
    split.codes.push_back(static_cast<std::uint32_t>(code));
    split.branch_of.push_back(branch[code]);
  }
}

}  // namespace

bool divide_values(const ToldSums& sums, const Instruction& told, Split& split) {
  split.weights.assign(sums.classes * static_cast<std::size_t>(split.arity), 0.0);
  if (sums.category) {
    divide_categories(sums, told, split);
    return true;
  }
  for (std::size_t group = 0; group < sums.groups; ++group) {
    if (!sums.present(group)) return false;
    add_group(sums, group, static_cast<std::int32_t>(group), split);
  }
  return true;
}

}  // namespace hardwood
