#include "pruning/training_rows.hpp"

#include <limits>

#include "pruning/leaf_rows.hpp"

namespace hardwood {

namespace {

constexpr std::size_t first_rows = 128;  // sent down a branch before asking whether it is in vain

LeafRows rows_at_leaves(const SurvivingNodes& surviving, const TrainingRows& rows) {
  const std::vector<std::int32_t> where = surviving.where_rows_are();
  LeafRows out(surviving.nodes());
  for (std::size_t i = 0; i < rows.count; ++i)
    if (rows.weights[i] > 0) out.add(where[rows.leaf[i]], static_cast<std::uint32_t>(i));
  return out;
}

void follow(LeafRows& leaves, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (change.raised < 0) leaves.gather(change.node, change.leaves);
    else leaves.drop(change.leaves);
  }
}

}  // namespace

void prune_by_rows(ErrorBasedPruning& pruning, const RowTurns& turns, const TrainingRows& rows,
                   const Poll& poll) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  LeafRows leaves = rows_at_leaves(pruning.surviving(), rows);
  std::vector<std::int32_t> to;  // the leaf that each row would reach
  while (std::optional<Raising> raising = pruning.next()) {
    follow(leaves, pruning.take_changes());
    const SurvivingNodes& surviving = pruning.surviving();
    const auto lighter = leaves.at(surviving.lighter_leaves(raising->node, raising->heaviest), all);
    const std::span<const std::uint32_t> sent(lighter);
    to.clear();
    const auto arrive = [&](std::uint32_t row, std::int32_t leaf) {
      pruning.arrive(*raising, leaf, rows.labels[row], rows.weights[row], 1);
      to.push_back(leaf);
    };
    bool in_vain = false;
    for (std::size_t more = first_rows; !in_vain && to.size() < sent.size(); more = to.size()) {
      more = std::min(more, sent.size() - to.size());
      send_down(surviving, turns, raising->heaviest, sent.subspan(to.size(), more), raising->met, arrive);
      in_vain = to.size() < sent.size() && pruning.in_vain(*raising);
    }
    if (in_vain) pruning.give_up(*raising);
    else if (pruning.decide(*raising) == Verdict::raise)
      for (std::size_t i = 0; i < sent.size(); ++i) leaves.add(to[i], sent[i]);
    poll();
  }
}

}  // namespace hardwood
