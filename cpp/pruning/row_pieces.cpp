#include "pruning/row_pieces.hpp"

#include <algorithm>

namespace hardwood {

PiecesDivision divide(const RowTurns& turns, std::int32_t split, std::int32_t arity,
                      const std::vector<RowPiece>& pieces) {
  PiecesDivision out;
  out.branches.resize(arity);
  std::vector<RowPiece> missing;
  std::vector<std::int64_t> known(arity, 0);
  std::int64_t all = 0;
  for (const RowPiece& piece : pieces) {
    const Turn turn = turns.turn(split, piece.row);
    if (turn.missing) {
      missing.push_back(piece);
      continue;
    }
    if (turn.unseen >= 0) out.unseen.push_back(turn.unseen);
    out.branches[turn.branch].push_back(piece);
    known[turn.branch] += piece.weight;
    all += piece.weight;
  }
  out.missing_seen = !missing.empty();
  out.heaviest = static_cast<std::int32_t>(std::max_element(known.begin(), known.end()) - known.begin());
  for (std::int64_t weight : known)
    out.share.push_back(all ? static_cast<double>(weight) / static_cast<double>(all) : 0.0);
  for (const RowPiece& piece : missing) {
    std::int64_t left = piece.weight;
    for (std::int32_t j = 0; j < arity; ++j) {
      const auto own = static_cast<std::int64_t>(static_cast<__int128>(piece.weight) * known[j] /
                                                 std::max<std::int64_t>(all, 1));
      left -= own;
      if (own && j != out.heaviest) out.branches[j].push_back({piece.row, own});
      if (j == out.heaviest) left += own;
    }
    out.branches[out.heaviest].push_back({piece.row, left});
  }
  return out;
}

void merge(std::vector<RowPiece>& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const RowPiece& a, const RowPiece& b) { return a.row < b.row; });
  std::size_t size = 0;
  for (const RowPiece& piece : pieces) {
    if (size && pieces[size - 1].row == piece.row) pieces[size - 1].weight += piece.weight;
    else pieces[size++] = piece;
  }
  pieces.resize(size);
}

}  // namespace hardwood
