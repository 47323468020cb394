// Fractional examples: pieces of rows, and how they divide among the branches of a split.
//
// A row with a value goes down its branch. One whose value is missing goes down every branch j with the piece
// floor(w |a_j| / |a|) of its weight w, |a_j| the weight of what has a value in the branch, |a| at the node;
// the rest of w goes to the heaviest branch by |a_j|, the first on a tie. A piece of weight 0 vanishes.
#pragma once

#include <cstdint>
#include <vector>

#include "pruning/row_turns.hpp"

namespace hardwood {

struct RowPiece {
  std::uint32_t row;
  std::int64_t weight;  // in whole units
};

struct PiecesDivision {
  std::vector<std::vector<RowPiece>> branches;
  std::vector<double> share;  // |a_j| / |a|
  std::int32_t heaviest = 0;
  bool missing_seen = false;
  std::vector<std::int32_t> unseen;  // categories that the split has not seen before
};

PiecesDivision divide(const RowTurns& turns, std::int32_t split, std::int32_t arity,
                      const std::vector<RowPiece>& pieces);

// Pieces of one row made one; ascending rows.
void merge(std::vector<RowPiece>& pieces);

}  // namespace hardwood
