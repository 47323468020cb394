#include "distributed/raising_trials.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace hardwood {

namespace {

constexpr std::int64_t first_rows = 1024;  // of each part
constexpr std::int64_t growth = 16;        // of the stages
constexpr std::int64_t all_rows = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::vector<Trial> RaisingTrials::next() {
  while (std::optional<Raising> raising = pruning_.next()) {
    trial_at_[raising->node] = static_cast<std::int32_t>(tried_.size());
    tried_.push_back({std::move(*raising), pruning_.can_tell_early() ? first_rows : all_rows});
  }
  std::vector<Trial> out;
  for (const Tried& each : tried_) out.push_back({each.raising.node, each.raising.heaviest, each.rows});
  return out;
}

RaisingTrials::Tried& RaisingTrials::trial_above(std::int32_t node) {
  if (static_cast<std::size_t>(node) >= trial_at_.size()) node = -1;
  while (node >= 0 && trial_at_[node] < 0) node = pruning_.surviving().parent(node);
  if (node < 0) throw std::invalid_argument("an answer about a node where nothing is tried");
  return tried_[trial_at_[node]];
}

void RaisingTrials::add_up(const Arrivals& arrivals, double unit) {
  const int classes = pruning_.sums().classes;
  const std::vector<std::uint64_t>& leaves = arrivals.sums.keys;
  const std::size_t channels = arrivals.channels;
  if (channels != static_cast<std::size_t>(classes) + 1)
    throw std::invalid_argument("an answer about another number of classes");
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto leaf = static_cast<std::int32_t>(leaves[i]);
    Raising& raising = trial_above(leaf).raising;
    const std::int64_t* own = arrivals.sums.weights.data() + i * channels;
    for (int c = 0; c < classes; ++c)
      pruning_.arrive(raising, leaf, c, static_cast<double>(own[c]) * unit, c ? 0 : own[channels - 1]);
  }
  const auto met_at = [&](std::int32_t split) -> Met& {
    return trial_above(pruning_.surviving().asking(split)).raising.met;
  };
  for (std::uint64_t each : arrivals.missing) {
    const auto split = static_cast<std::int32_t>(each);
    met_at(split).missing.insert(split);
  }
  for (std::uint64_t both : arrivals.unseen) {
    const auto split = static_cast<std::int32_t>(both >> 32);
    met_at(split).unseen.emplace(split, static_cast<std::int32_t>(both & 0xffffffff));
  }
}

void RaisingTrials::take(const Arrivals& arrivals, double unit) {
  add_up(arrivals, unit);
  for (const Tried& each : tried_) trial_at_[each.raising.node] = -1;
  std::vector<Tried> unfinished;
  for (Tried& each : tried_) {
    const auto& more = arrivals.unfinished;
    if (!std::binary_search(more.begin(), more.end(), static_cast<std::uint64_t>(each.raising.node))) {
      pruning_.decide(each.raising);
    } else if (pruning_.in_vain(each.raising)) {
      pruning_.give_up(each.raising);
    } else {
      pruning_.forget(each.raising);
      each.rows = each.rows > all_rows / growth ? all_rows : each.rows * growth;
      unfinished.push_back(std::move(each));
    }
  }
  tried_ = std::move(unfinished);
  for (std::size_t i = 0; i < tried_.size(); ++i)
    trial_at_[tried_[i].raising.node] = static_cast<std::int32_t>(i);
}

}  // namespace hardwood
