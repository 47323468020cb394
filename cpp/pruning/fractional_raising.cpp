// Subtree raising in a tree of fractional examples: all parts at a place are divided anew, since the shares
// by which missing values are divided change with the rows.
#include <algorithm>
#include <limits>

#include "pruning/error_based.hpp"

namespace hardwood {

void ErrorBasedPruning::spread(Raising& out, std::int32_t from, std::vector<Part> parts, double share) const {
  std::vector<Spread> pending;
  pending.push_back({from, share, std::move(parts), {}, 0});
  while (!pending.empty()) {
    Spread at = std::move(pending.back());
    pending.pop_back();
    at.rows = static_cast<std::int64_t>(at.parts.size());
    at.weights.assign(classes_, 0);
    for (const Part& part : at.parts)
      at.weights[rows_.labels[part.row]] += static_cast<double>(part.weight) * rows_.unit;
    if (!is_leaf(at.place)) {
      PartsDivision division = divide(turns_, split_[at.place], arity(at.place), at.parts);
      for (std::int32_t j = 0; j < arity(at.place); ++j)
        pending.push_back(
            {first_child(at.place) + j, division.share[j], std::move(division.branches[j]), {}, 0});
      for (std::int32_t code : division.unseen) out.unseen.emplace(split_[at.place], code);
      if (division.missing_seen) out.missing.insert(split_[at.place]);
      out.heaviest_branch.emplace_back(split_[at.place], division.heaviest);
      at.parts = {};
    }
    out.spread.push_back(std::move(at));
  }
}

void ErrorBasedPruning::place_parts() {
  std::vector<Part> all;
  for (std::size_t i = 0; i < rows_.count; ++i)
    if (rows_.weights[i] > 0)
      all.push_back({static_cast<std::uint32_t>(i), std::llround(rows_.weights[i] / rows_.unit)});
  Raising grown;
  spread(grown, 0, std::move(all), 1.0);
  for (Spread& at : grown.spread) parts_of_leaf_[at.place] = std::move(at.parts);
}

std::vector<Part> ErrorBasedPruning::parts_at(std::int32_t place) const {
  std::vector<Part> parts;
  for (std::int32_t below : places_from(place))
    parts.insert(parts.end(), parts_of_leaf_[below].begin(), parts_of_leaf_[below].end());
  merge(parts);
  return parts;
}

ErrorBasedPruning::Raising ErrorBasedPruning::try_raising_parts(std::int32_t place) {
  Raising raising;
  raising.heaviest = heaviest_child(place);
  spread(raising, raising.heaviest, parts_at(place), share_[place]);
  std::sort(raising.spread.begin(), raising.spread.end(),
            [](const Spread& a, const Spread& b) { return a.place > b.place; });
  for (const Spread& at : raising.spread) {
    double total = 0, largest = 0;
    for (double weight : at.weights) total += weight, largest = std::max(largest, weight);
    if (total <= 0) {  // shares so small that nothing arrives: not a tree that could be grown
      raising.errors = std::numeric_limits<double>::infinity();
      return raising;
    }
    new_errors_[at.place] = is_leaf(at.place) ? estimate_(total, total - largest) : 0;
    for (std::int32_t j = 0; !is_leaf(at.place) && j < arity(at.place); ++j)
      new_errors_[at.place] += new_errors_[first_child(at.place) + j];
  }
  raising.errors = new_errors_[raising.heaviest];
  return raising;
}

void ErrorBasedPruning::raise_parts(std::int32_t place, Raising& raising) {
  take_over(place, raising);
  for (Spread& at : raising.spread) {
    if (at.place == raising.heaviest) continue;
    std::copy(at.weights.begin(), at.weights.end(), &weights_[static_cast<std::size_t>(at.place) * classes_]);
    row_counts_[at.place] = at.rows;
    share_[at.place] = at.share;
    parts_of_leaf_[at.place] = std::move(at.parts);
    to_visit_.push(at.place);
  }
  for (const auto& [split, branch] : raising.heaviest_branch)
    turns_.habits(split).missing_branch = turns_.habits(split).default_branch = branch;
  to_visit_.push(place);
}

}  // namespace hardwood
