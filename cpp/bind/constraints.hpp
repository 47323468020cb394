// Constraints as Python gives them, of a tree and of a booster alike.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "growing/interactions.hpp"
#include "search/constraint.hpp"

namespace hardwood {

struct ConstraintOptions {
  std::size_t columns = 0;
  std::vector<std::int8_t> signs;                  // per column and output; empty: none
  std::vector<std::int32_t> outputs;               // the class of each output
  double prior = 0, unit = 1;                      // of a single tree, as ShareRules has them
  std::vector<std::vector<std::uint32_t>> groups;  // of columns; none: any columns may meet
  std::size_t most = 0;                            // not 0: columns on one path
  std::vector<std::vector<std::uint32_t>> needs;   // per column: those that it stands below; empty: none

  bool monotone() const { return !signs.empty(); }

  Signs signs_by_column() const {
    if (signs.size() != columns * outputs.size()) throw std::invalid_argument("a sign per column and output");
    return {outputs.size(), signs};
  }

  // free: columns beside the constrained ones.
  std::shared_ptr<const Interactions> interactions(std::size_t free = 0) const {
    if (groups.empty() && most == 0 && needs.empty()) return nullptr;
    if (!needs.empty() && needs.size() != columns)
      throw std::invalid_argument("needs of each column, or of none");
    for (const auto* lists : {&groups, &needs})
      for (const auto& list : *lists)
        for (std::uint32_t c : list)
          if (c >= columns) throw std::invalid_argument("a group has a column that does not exist");
    return std::make_shared<const Interactions>(Interactions{columns, groups, most, needs, free});
  }
};

}  // namespace hardwood
