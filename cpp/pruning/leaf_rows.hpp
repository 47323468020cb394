// The rows at the leaves of a tree that is being pruned, and how rows go down a branch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "pruning/surviving_nodes.hpp"

namespace hardwood {

class LeafRows {
 public:
  explicit LeafRows(std::size_t nodes) : rows_(nodes) {}

  void add(std::int32_t leaf, std::uint32_t row) { rows_[leaf].push_back(row); }

  // Rows of some leaves, at most so many.
  std::vector<std::uint32_t> at(const std::vector<std::int32_t>& leaves, std::size_t most) const {
    std::vector<std::uint32_t> out;
    out.reserve(std::min(most, count(leaves)));
    for (std::int32_t leaf : leaves) {
      const std::size_t more = std::min(most - out.size(), rows_[leaf].size());
      out.insert(out.end(), rows_[leaf].begin(), rows_[leaf].begin() + static_cast<std::ptrdiff_t>(more));
    }
    return out;
  }
  std::size_t count(const std::vector<std::int32_t>& leaves) const {
    std::size_t total = 0;
    for (std::int32_t leaf : leaves) total += rows_[leaf].size();
    return total;
  }

  // The leaf takes the rows of others, which are gone.
  void gather(std::int32_t leaf, const std::vector<std::int32_t>& others) {
    for (std::int32_t other : others)
      rows_[leaf].insert(rows_[leaf].end(), rows_[other].begin(), rows_[other].end());
    drop(others);
  }
  void drop(const std::vector<std::int32_t>& leaves) {
    for (std::int32_t leaf : leaves) std::vector<std::uint32_t>().swap(rows_[leaf]);
  }

 private:
  std::vector<std::vector<std::uint32_t>> rows_;
};

// Sends rows down from a node by the routes as they are; arrive(row, leaf) is told where each ends.
template <class Turns, class Arrive>
void send_down(const SurvivingNodes& surviving, const Turns& turns, std::int32_t from,
               std::span<const std::uint32_t> rows, Met& met, Arrive arrive) {
  for (std::uint32_t row : rows) {
    std::int32_t at = from;
    while (!surviving.is_leaf(at)) {
      const std::int32_t split = surviving.split(at);
      const Turn turn = turns.turn(split, row);
      if (turn.missing && !surviving.unseen_routes()[split].missing_seen) met.missing.insert(split);
      if (turn.unseen >= 0) met.unseen.emplace(split, turn.unseen);
      at = surviving.first_child(at) + turn.branch;
    }
    arrive(row, at);
  }
}

}  // namespace hardwood
