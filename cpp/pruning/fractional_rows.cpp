// Subtree raising in a tree of fractional examples.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pruning/row_parts.hpp"
#include "pruning/training_rows.hpp"

namespace hardwood {

namespace {

// A place when other parts reach it.
struct Spread {
  std::int32_t place;
  double share;
  std::vector<RowPart> parts;  // of a leaf
  std::vector<double> weights;
  std::int64_t rows;
};

// What dividing parts anew from a place does: all places below, and the heaviest branches of the splits.
struct Division {
  std::vector<Spread> spread;
  std::vector<std::pair<std::int32_t, std::int32_t>> heaviest_branch;
};

class FractionalRows {
 public:
  FractionalRows(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows)
      : pruning_(pruning), turns_(turns), rows_(rows), parts_of_leaf_(pruning.places().nodes()),
        errors_(pruning.places().nodes(), 0) {
    std::vector<RowPart> all;
    for (std::size_t i = 0; i < rows.count; ++i)
      if (rows.weights[i] > 0)
        all.push_back({static_cast<std::uint32_t>(i), std::llround(rows.weights[i] / rows.unit)});
    Met met;
    Division grown = divide_from(0, std::move(all), 1.0, met);
    for (Spread& at : grown.spread) parts_of_leaf_[at.place] = std::move(at.parts);
  }

  void follow(const std::vector<Change>& changes) {
    for (const Change& change : changes) {
      if (change.raised < 0) parts_of_leaf_[change.place] = parts_at(change.leaves);
      for (std::int32_t leaf : change.leaves) std::vector<RowPart>().swap(parts_of_leaf_[leaf]);
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
  Division divide_from(std::int32_t from, std::vector<RowPart> parts, double share, Met& met) const;
  std::vector<RowPart> parts_at(const std::vector<std::int32_t>& places) const;
  Division try_raising(Raising& raising);
  void raise(const Raising& raising, Division& division);

  ErrorBasedPruning& pruning_;
  const RowTurns& turns_;
  TrainingRows rows_;
  std::vector<std::vector<RowPart>> parts_of_leaf_;
  std::vector<double> errors_;  // estimates while raising is tried
};

Division FractionalRows::divide_from(std::int32_t from, std::vector<RowPart> parts, double share,
                                     Met& met) const {
  const Places& places = pruning_.places();
  Division out;
  std::vector<Spread> pending;
  pending.push_back({from, share, std::move(parts), {}, 0});
  while (!pending.empty()) {
    Spread at = std::move(pending.back());
    pending.pop_back();
    at.rows = static_cast<std::int64_t>(at.parts.size());
    at.weights.assign(pruning_.sums().classes, 0);
    for (const RowPart& part : at.parts)
      at.weights[rows_.labels[part.row]] += static_cast<double>(part.weight) * rows_.unit;
    if (!places.is_leaf(at.place)) {
      const std::int32_t split = places.split(at.place), arity = places.arity(at.place);
      PartsDivision division = divide(turns_, split, arity, at.parts);
      for (std::int32_t j = 0; j < arity; ++j)
        pending.push_back(
            {places.first_child(at.place) + j, division.share[j], std::move(division.branches[j]), {}, 0});
      for (std::int32_t code : division.unseen) met.unseen.emplace(split, code);
      if (division.missing_seen) met.missing.insert(split);
      out.heaviest_branch.emplace_back(split, division.heaviest);
      at.parts = {};
    }
    out.spread.push_back(std::move(at));
  }
  return out;
}

std::vector<RowPart> FractionalRows::parts_at(const std::vector<std::int32_t>& places) const {
  std::vector<RowPart> parts;
  for (std::int32_t place : places)
    parts.insert(parts.end(), parts_of_leaf_[place].begin(), parts_of_leaf_[place].end());
  merge(parts);
  return parts;
}

Division FractionalRows::try_raising(Raising& raising) {
  const Places& places = pruning_.places();
  Division division = divide_from(raising.heaviest, parts_at(places.from(raising.place)),
                                  pruning_.sums().share[raising.place], raising.met);
  std::sort(division.spread.begin(), division.spread.end(),
            [](const Spread& a, const Spread& b) { return a.place > b.place; });
  for (const Spread& at : division.spread) {
    double total = 0, largest = 0;
    for (double weight : at.weights) total += weight, largest = std::max(largest, weight);
    if (total <= 0) {  // shares so small that nothing arrives: not a tree that could be grown
      raising.errors = std::numeric_limits<double>::infinity();
      return division;
    }
    errors_[at.place] = places.is_leaf(at.place) ? pruning_.estimate(total, total - largest) : 0;
    for (std::int32_t j = 0; !places.is_leaf(at.place) && j < places.arity(at.place); ++j)
      errors_[at.place] += errors_[places.first_child(at.place) + j];
  }
  raising.errors = errors_[raising.heaviest];
  return division;
}

void FractionalRows::raise(const Raising& raising, Division& division) {
  Places& places = pruning_.take_over(raising);
  NodeSums& sums = pruning_.sums();
  for (Spread& at : division.spread) {
    if (at.place == raising.heaviest) continue;
    std::copy(at.weights.begin(), at.weights.end(),
              &sums.weights[static_cast<std::size_t>(at.place) * sums.classes]);
    sums.rows[at.place] = at.rows;
    sums.share[at.place] = at.share;
    parts_of_leaf_[at.place] = std::move(at.parts);
    pruning_.visit_again(at.place);
  }
  for (const auto& [split, branch] : division.heaviest_branch) places.set_default_of_parts(split, branch);
  pruning_.visit_again(raising.place);
}

}  // namespace

void prune_by_parts(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows,
                    const Poll& poll) {
  FractionalRows parts(pruning, turns, rows);
  while (std::optional<Raising> raising = pruning.next()) {
    parts.follow(pruning.take_changes());
    parts.settle(*raising);
    poll();
  }
}

}  // namespace hardwood
