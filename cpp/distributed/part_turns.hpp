// The branch that a single row of a part takes at a single split, read from its codes and keys.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/part_table.hpp"
#include "pruning/unseen_routes.hpp"

namespace hardwood {

class PartTurns {
 public:
  // cuts: beside the tree's thresholds, as keys (bucketed columns) or as the last code that is not above
  // (coded ones). All of them must outlive this; unseen routes may change.
  PartTurns(const PartTable& table, const TablePlan& plan, const TreeView& tree, const std::uint64_t* cuts,
            const std::vector<UnseenRoutes>& unseen_routes)
      : table_(table), plan_(plan), tree_(tree), cuts_(cuts), unseen_routes_(unseen_routes) {}

  Turn turn(std::int32_t split, std::uint32_t row) const {
    const auto c = static_cast<std::size_t>(tree_.feature[split]);
    const ColumnPlan& plan = plan_.columns[c];
    const UnseenRoutes& routes = unseen_routes_[split];
    const Turn missing{routes.missing_branch, true};
    if (plan.coding == PartCoding::constant) return missing;
    if (plan.coding == PartCoding::uncoded) {
      const std::uint64_t key = table_.keys[c][row];
      return key == missing_key ? missing : category_turn(tree_, routes, split, static_cast<std::int32_t>(key));
    }
    const std::uint32_t code = code_of(table_.columns[c], row);
    if (code == plan.values()) return missing;
    if (plan.coding == PartCoding::category)
      return category_turn(tree_, routes, split, static_cast<std::int32_t>(code));
    return {branch_of(split, plan.bucketed() ? table_.keys[c][row] : code)};
  }

 private:
  std::uint32_t code_of(const PartColumn& column, std::uint32_t row) const {
    const std::uint32_t stored = lane_of(table_, column)[row];
    return column.storage == Storage::bundle ? column.digits[stored] : stored;
  }
  std::int32_t branch_of(std::int32_t split, std::uint64_t key) const {
    const std::uint64_t* cut = cuts_ + tree_.cut_begin[split];
    std::int32_t branch = 0;
    while (branch < tree_.cut_count[split] && cut[branch] < key) ++branch;
    return branch;
  }

  const PartTable& table_;
  const TablePlan& plan_;
  TreeView tree_;
  const std::uint64_t* cuts_;
  const std::vector<UnseenRoutes>& unseen_routes_;
};

}  // namespace hardwood
