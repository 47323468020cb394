// Subtree raising in a tree of fractional examples, by rows in memory.
#include <cmath>
#include <map>
#include <optional>

#include "pruning/pieces_trial.hpp"
#include "pruning/row_pieces.hpp"
#include "pruning/training_rows.hpp"

namespace hardwood {

namespace {

class FractionalRows {
 public:
  FractionalRows(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows)
      : pruning_(pruning), turns_(turns), rows_(rows), pieces_of_leaf_(pruning.surviving().nodes()) {
    std::vector<RowPiece> all;
    for (std::size_t i = 0; i < rows.count; ++i)
      if (rows.weights[i] > 0)
        all.push_back({static_cast<std::uint32_t>(i), std::llround(rows.weights[i] / rows.unit)});
    Met met;
    keep_pieces(divide_from(0, std::move(all), 1.0, met));
  }

  void follow(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      if (change.raised < 0) pieces_of_leaf_[change.node] = pieces_at(change.leaves);
      for (std::int32_t leaf : change.leaves) std::vector<RowPiece>().swap(pieces_of_leaf_[leaf]);
    }
  }

  void settle(Raising& raising) {
    Division division = divide_from(raising.heaviest, pieces_at(pruning_.surviving().from(raising.node)),
                                    pruning_.sums().share[raising.node], raising.met);
    if (decide(pruning_, raising, division.trial) == Verdict::raise) keep_pieces(std::move(division));
  }

 private:
  struct Division {
    PiecesTrial trial;
    std::map<std::int32_t, std::vector<RowPiece>> leaves;
  };
  struct Pending {
    std::int32_t node;
    double share;
    std::vector<RowPiece> pieces;
  };

  Division divide_from(std::int32_t from, std::vector<RowPiece> pieces, double share, Met& met) const;
  NodeSpread spread_of(const Pending& at) const;
  std::vector<RowPiece> pieces_at(const std::vector<std::int32_t>& nodes) const;
  void keep_pieces(Division division) {
    for (auto& [leaf, pieces] : division.leaves) pieces_of_leaf_[leaf] = std::move(pieces);
  }

  ErrorBasedPruning& pruning_;
  const RowTurns& turns_;
  TrainingRows rows_;
  std::vector<std::vector<RowPiece>> pieces_of_leaf_;
};

NodeSpread FractionalRows::spread_of(const Pending& at) const {
  NodeSpread out{at.node, at.share, std::vector<double>(pruning_.sums().classes, 0),
                 static_cast<std::int64_t>(at.pieces.size())};
  for (const RowPiece& piece : at.pieces)
    out.weights[rows_.labels[piece.row]] += static_cast<double>(piece.weight) * rows_.unit;
  return out;
}

auto FractionalRows::divide_from(std::int32_t from, std::vector<RowPiece> pieces, double share, Met& met) const
    -> Division {
  const SurvivingNodes& surviving = pruning_.surviving();
  Division out;
  std::vector<Pending> pending;
  pending.push_back({from, share, std::move(pieces)});
  while (!pending.empty()) {
    Pending at = std::move(pending.back());
    pending.pop_back();
    out.trial.spread.push_back(spread_of(at));
    if (surviving.is_leaf(at.node)) {
      out.leaves[at.node] = std::move(at.pieces);
      continue;
    }
    const std::int32_t split = surviving.split(at.node), arity = surviving.arity(at.node);
    const KnownPieces known = known_pieces(turns_, split, arity, at.pieces);
    auto branches = divide(turns_, split, known.weight, at.pieces);
    for (std::int32_t j = 0; j < arity; ++j)
      pending.push_back(
          {surviving.first_child(at.node) + j, share_of(known.weight, j), std::move(branches[j])});
    for (std::int32_t code : known.unseen) met.unseen.emplace(split, code);
    if (known.missing_seen) met.missing.insert(split);
    out.trial.heaviest_branch.emplace_back(split, heaviest_branch(known.weight));
  }
  return out;
}

std::vector<RowPiece> FractionalRows::pieces_at(const std::vector<std::int32_t>& nodes) const {
  std::vector<RowPiece> pieces;
  for (std::int32_t node : nodes)
    pieces.insert(pieces.end(), pieces_of_leaf_[node].begin(), pieces_of_leaf_[node].end());
  merge(pieces);
  return pieces;
}

}  // namespace

void prune_by_pieces(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows,
                     const Poll& poll) {
  FractionalRows pieces(pruning, turns, rows);
  while (std::optional<Raising> raising = pruning.next()) {
    pieces.follow(pruning.take_changes());
    pieces.settle(*raising);
    poll();
  }
}

}  // namespace hardwood
