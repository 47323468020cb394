// Moving the rows of a split in two where the node's rows are bits (data/row_bits.hpp): branches are found for
// 64 rows at a time, and the rows' numbers are made anew instead of being read.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/pool.hpp"
#include "data/row_bits.hpp"
#include "search/split.hpp"

namespace hardwood {

// The rows of the branches, and their bits where they pay (else null).
struct BitBranches {
  std::vector<NodeRows> rows;
  std::array<std::unique_ptr<RowBits>, 2> bits;
};

// Whether a node's rows are to be kept as bits while the tree grows.
bool keeps_bits(const EncodedTable& table, std::size_t rows);

// As `divide` (partition.hpp); nothing where the split or the instruction set asks for that one.
std::optional<BitBranches> divide_bits(const Problem& problem, const NodeRows& node, const RowBits& bits,
                                       Split& split, const RowArrays& arrays, Pool& pool);

}  // namespace hardwood
