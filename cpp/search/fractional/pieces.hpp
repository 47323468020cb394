// Examples of a node with their codes in one column, to be sorted and grouped where histograms do not pay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/encoded_table.hpp"
#include "data/items.hpp"
#include "search/groups.hpp"
#include "search/rules.hpp"

namespace hardwood {

struct Piece {
  std::uint32_t code;
  std::int32_t channel;  // of its class
  std::int64_t weight, examples;
};

void sort_by_code(std::vector<Piece>& pieces);

// The groups of a column from its pieces in order of code. Of a column stored as entries the pieces with the
// implicit code are left out: they are what is missing to the node's totals.
void group_pieces(const EncodedColumn& column, std::span<const Piece> pieces, const NodeTotals& node,
                  int channels, Groups& groups);

// The groups of a column from the items of a node, every present value one. `pieces` is a buffer.
void group_items(const EncodedTable& table, const Items& items, std::uint32_t column, const NodeTotals& node,
                 int channels, std::vector<Piece>& pieces, Groups& groups);

}  // namespace hardwood
