// Fractional examples: pieces of rows, and how they divide among the branches of a split.
//
// A row with a value goes down its branch. One whose value is missing goes down every branch j with the piece
// floor(w |a_j| / |a|) of its weight w, |a_j| the weight of what has a value in the branch, |a| at the node;
// the rest of w goes to the heaviest branch by |a_j|, the first on a tie. A piece of weight 0 vanishes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/portable.hpp"
#include "pruning/unseen_routes.hpp"

namespace hardwood {

struct RowPiece {
  std::uint32_t row;
  std::int64_t weight;  // in whole units
};

// What pieces at a node have at its split: |a_j|, and what is new to the split.
struct KnownPieces {
  std::vector<std::int64_t> weight;  // by branch
  bool missing_seen = false;
  std::vector<std::int32_t> unseen;  // categories that the split has not seen before
};

template <class Turns>
KnownPieces known_pieces(const Turns& turns, std::int32_t split, std::int32_t arity,
                         const std::vector<RowPiece>& pieces) {
  KnownPieces out{std::vector<std::int64_t>(arity, 0), false, {}};
  for (const RowPiece& piece : pieces) {
    const Turn turn = turns.turn(split, piece.row);
    out.missing_seen |= turn.missing;
    if (turn.missing) continue;
    if (turn.unseen >= 0) out.unseen.push_back(turn.unseen);
    out.weight[turn.branch] += piece.weight;
  }
  return out;
}

inline std::int32_t heaviest_branch(const std::vector<std::int64_t>& known) {
  return static_cast<std::int32_t>(std::max_element(known.begin(), known.end()) - known.begin());
}

// |a_j| / |a|; 0 where nothing has a value.
inline double share_of(const std::vector<std::int64_t>& known, std::int32_t branch) {
  std::int64_t all = 0;
  for (std::int64_t weight : known) all += weight;
  return all ? static_cast<double>(known[branch]) / static_cast<double>(all) : 0.0;
}

// Calls add(branch, piece) for what becomes of a piece without a value.
template <class Add>
void divide_missing(const RowPiece& piece, const std::vector<std::int64_t>& known, Add add) {
  const std::int32_t heaviest = heaviest_branch(known);
  std::int64_t all = 0, left = piece.weight;
  for (std::int64_t weight : known) all += weight;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(known.size()); ++j) {
    if (j == heaviest) continue;
    const auto own =
        static_cast<std::int64_t>(static_cast<Wide>(piece.weight) * known[j] / std::max<std::int64_t>(all, 1));
    left -= own;
    if (own) add(j, RowPiece{piece.row, own});
  }
  add(heaviest, RowPiece{piece.row, left});
}

// The pieces of each branch; `known` is |a_j| of all pieces at the node, of which these may be some.
template <class Turns>
std::vector<std::vector<RowPiece>> divide(const Turns& turns, std::int32_t split,
                                          const std::vector<std::int64_t>& known,
                                          const std::vector<RowPiece>& pieces) {
  std::vector<std::vector<RowPiece>> branches(known.size());
  for (const RowPiece& piece : pieces) {
    const Turn turn = turns.turn(split, piece.row);
    if (!turn.missing) branches[turn.branch].push_back(piece);
    else divide_missing(piece, known, [&](std::int32_t j, RowPiece own) { branches[j].push_back(own); });
  }
  return branches;
}

// Pieces of one row made one; ascending rows.
inline void merge(std::vector<RowPiece>& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const RowPiece& a, const RowPiece& b) { return a.row < b.row; });
  std::size_t size = 0;
  for (const RowPiece& piece : pieces) {
    if (size && pieces[size - 1].row == piece.row) pieces[size - 1].weight += piece.weight;
    else pieces[size++] = piece;
  }
  pieces.resize(size);
}

}  // namespace hardwood
