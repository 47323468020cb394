#include "pruning/training_rows.hpp"

#include <limits>

#include "pruning/leaf_rows.hpp"

namespace hardwood {

namespace {

constexpr std::size_t first_rows = 128;  // sent down a branch before asking whether it is in vain

LeafRows rows_at_leaves(const Places& places, const TrainingRows& rows) {
  const std::vector<std::int32_t> home = places.homes();
  LeafRows out(places.nodes());
  for (std::size_t i = 0; i < rows.count; ++i)
    if (rows.weights[i] > 0) out.add(home[rows.leaf[i]], static_cast<std::uint32_t>(i));
  return out;
}

void follow(LeafRows& leaves, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.raised < 0) leaves.gather(change.place, change.leaves);
    else leaves.drop(change.leaves);
  }
}

}  // namespace

void prune_by_rows(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows,
                   const Poll& poll) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  LeafRows leaves = rows_at_leaves(pruning.places(), rows);
  std::vector<std::int32_t> to;  // the leaf that each row would reach
  while (std::optional<Raising> raising = pruning.next()) {
    follow(leaves, pruning.take_changes());
    const Places& places = pruning.places();
    const auto lighter = leaves.at(places.lighter_leaves(raising->place, raising->heaviest), all);
    const std::span<const std::uint32_t> listed(lighter);
    to.clear();
    const auto arrive = [&](std::uint32_t row, std::int32_t leaf) {
      pruning.arrive(*raising, leaf, rows.labels[row], rows.weights[row], 1);
      to.push_back(leaf);
    };
    bool in_vain = false;
    for (std::size_t more = first_rows; !in_vain && to.size() < listed.size(); more = to.size()) {
      more = std::min(more, listed.size() - to.size());
      send_down(places, turns, raising->heaviest, listed.subspan(to.size(), more), raising->met, arrive);
      in_vain = to.size() < listed.size() && pruning.in_vain(*raising);
    }
    if (in_vain) pruning.give_up(*raising);
    else if (pruning.decide(*raising) == Verdict::raise)
      for (std::size_t i = 0; i < listed.size(); ++i) leaves.add(to[i], listed[i]);
    poll();
  }
}

}  // namespace hardwood
