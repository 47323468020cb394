// Subtree raising in a tree of fractional examples.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pruning/row_pieces.hpp"
#include "pruning/training_rows.hpp"

namespace hardwood {

namespace {

// A node when other pieces reach it.
struct Spread {
  std::int32_t node;
  double share;
  std::vector<RowPiece> pieces;  // of a leaf
  std::vector<double> weights;
  std::int64_t rows;
};

// What dividing pieces anew from a node does: all surviving nodes below, and the heaviest branches of the
// splits.
struct Division {
  std::vector<Spread> spread;
  std::vector<std::pair<std::int32_t, std::int32_t>> heaviest_branch;
};

class FractionalRows {
 public:
  FractionalRows(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows)
      : pruning_(pruning), turns_(turns), rows_(rows), pieces_of_leaf_(pruning.surviving().nodes()),
        errors_(pruning.surviving().nodes(), 0) {
    std::vector<RowPiece> all;
    for (std::size_t i = 0; i < rows.count; ++i)
      if (rows.weights[i] > 0)
        all.push_back({static_cast<std::uint32_t>(i), std::llround(rows.weights[i] / rows.unit)});
    Met met;
    Division grown = divide_from(0, std::move(all), 1.0, met);
    for (Spread& at : grown.spread) pieces_of_leaf_[at.node] = std::move(at.pieces);
  }

  void follow(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      if (change.raised < 0) pieces_of_leaf_[change.node] = pieces_at(change.leaves);
      for (std::int32_t leaf : change.leaves) std::vector<RowPiece>().swap(pieces_of_leaf_[leaf]);
    }
  }

  void settle(Raising& raising) {
    Division division = try_raising(raising);
    const Verdict verdict = pruning_.verdict(raising);
    if (verdict == Verdict::leaf) pruning_.make_leaf(raising);
    else if (verdict == Verdict::keep) pruning_.keep(raising);
    else raise(raising, division);
  }

 private:
  Division divide_from(std::int32_t from, std::vector<RowPiece> pieces, double share, Met& met) const;
  std::vector<RowPiece> pieces_at(const std::vector<std::int32_t>& nodes) const;
  Division try_raising(Raising& raising);
  void raise(const Raising& raising, Division& division);

  ErrorBasedPruning& pruning_;
  const RowTurns& turns_;
  TrainingRows rows_;
  std::vector<std::vector<RowPiece>> pieces_of_leaf_;
  std::vector<double> errors_;  // estimates while raising is tried
};

Division FractionalRows::divide_from(std::int32_t from, std::vector<RowPiece> pieces, double share,
                                     Met& met) const {
  const SurvivingNodes& surviving = pruning_.surviving();
  Division out;
  std::vector<Spread> pending;
  pending.push_back({from, share, std::move(pieces), {}, 0});
  while (!pending.empty()) {
    Spread at = std::move(pending.back());
    pending.pop_back();
    at.rows = static_cast<std::int64_t>(at.pieces.size());
    at.weights.assign(pruning_.sums().classes, 0);
    for (const RowPiece& piece : at.pieces)
      at.weights[rows_.labels[piece.row]] += static_cast<double>(piece.weight) * rows_.unit;
    if (!surviving.is_leaf(at.node)) {
      const std::int32_t split = surviving.split(at.node), arity = surviving.arity(at.node);
      PiecesDivision division = divide(turns_, split, arity, at.pieces);
      for (std::int32_t j = 0; j < arity; ++j)
        pending.push_back(
            {surviving.first_child(at.node) + j, division.share[j], std::move(division.branches[j]), {}, 0});
      for (std::int32_t code : division.unseen) met.unseen.emplace(split, code);
      if (division.missing_seen) met.missing.insert(split);
      out.heaviest_branch.emplace_back(split, division.heaviest);
      at.pieces = {};
    }
    out.spread.push_back(std::move(at));
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

Division FractionalRows::try_raising(Raising& raising) {
  const SurvivingNodes& surviving = pruning_.surviving();
  Division division = divide_from(raising.heaviest, pieces_at(surviving.from(raising.node)),
                                  pruning_.sums().share[raising.node], raising.met);
  std::sort(division.spread.begin(), division.spread.end(),
            [](const Spread& a, const Spread& b) { return a.node > b.node; });
  for (const Spread& at : division.spread) {
    double total = 0, largest = 0;
    for (double weight : at.weights) total += weight, largest = std::max(largest, weight);
    if (total <= 0) {  // shares so small that nothing arrives: not a tree that could be grown
      raising.errors = std::numeric_limits<double>::infinity();
      return division;
    }
    errors_[at.node] = surviving.is_leaf(at.node) ? pruning_.estimate(total, total - largest) : 0;
    for (std::int32_t j = 0; !surviving.is_leaf(at.node) && j < surviving.arity(at.node); ++j)
      errors_[at.node] += errors_[surviving.first_child(at.node) + j];
  }
  raising.errors = errors_[raising.heaviest];
  return division;
}

void FractionalRows::raise(const Raising& raising, Division& division) {
  SurvivingNodes& surviving = pruning_.take_over(raising);
  NodeSums& sums = pruning_.sums();
  for (Spread& at : division.spread) {
    if (at.node == raising.heaviest) continue;
    std::copy(at.weights.begin(), at.weights.end(),
              &sums.weights[static_cast<std::size_t>(at.node) * sums.classes]);
    sums.rows[at.node] = at.rows;
    sums.share[at.node] = at.share;
    pieces_of_leaf_[at.node] = std::move(at.pieces);
    pruning_.visit_again(at.node);
  }
  for (const auto& [split, branch] : division.heaviest_branch) surviving.set_default_of_pieces(split, branch);
  pruning_.visit_again(raising.node);
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
