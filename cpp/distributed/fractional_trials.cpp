#include "distributed/fractional_trials.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace hardwood {

namespace {

// The place of a key, or the number of keys.
std::size_t place_of(const KeySums& sums, std::uint64_t key) {
  const auto at = std::lower_bound(sums.keys.begin(), sums.keys.end(), key);
  if (at == sums.keys.end() || *at != key) return sums.keys.size();
  return static_cast<std::size_t>(at - sums.keys.begin());
}

}  // namespace

PieceOrder FractionalTrials::begin() {
  tried_.clear();
  PieceOrder out;
  while (std::optional<Raising> raising = pruning_.next()) {
    out.begun.push_back({raising->node, raising->heaviest, 0});
    reached_[raising->heaviest] = {tried_.size(), pruning_.sums().share[raising->node]};
    tried_.push_back({std::move(*raising), {}});
  }
  return out;
}

PieceOrder FractionalTrials::next() {
  reached_.clear();
  if (known_.empty()) {
    for (Tried& each : tried_) decide(pruning_, each.raising, each.found);
    return begin();
  }
  PieceOrder out;
  for (auto& [trial, at] : known_) {
    const std::int32_t first = pruning_.surviving().first_child(at.node);
    for (std::size_t j = 0; j < at.known.size(); ++j) {
      const auto branch = static_cast<std::int32_t>(j);
      reached_[first + branch] = {trial, share_of(at.known, branch)};
    }
    out.divided.push_back(std::move(at));
  }
  known_.clear();
  return out;
}

// What the parts have at the split of an inner node.
void FractionalTrials::take_known(std::int32_t node, std::size_t trial, const Arrivals& arrivals) {
  const SurvivingNodes& surviving = pruning_.surviving();
  KnownAt at{node, std::vector<std::int64_t>(surviving.arity(node), 0)};
  for (std::size_t j = 0; j < at.known.size(); ++j) {
    const std::size_t place = place_of(arrivals.known, static_cast<std::uint64_t>(node) << 32 | j);
    if (place < arrivals.known.keys.size()) at.known[j] = arrivals.known.weights[place];
  }
  Tried& tried = tried_[trial];
  const std::int32_t split = surviving.split(node);
  tried.found.heaviest_branch.emplace_back(split, heaviest_branch(at.known));
  const auto number = static_cast<std::uint64_t>(split);
  if (std::binary_search(arrivals.missing.begin(), arrivals.missing.end(), number))
    tried.raising.met.missing.insert(split);
  auto code = std::lower_bound(arrivals.unseen.begin(), arrivals.unseen.end(), number << 32);
  for (; code != arrivals.unseen.end() && *code >> 32 == number; ++code)
    tried.raising.met.unseen.emplace(split, static_cast<std::int32_t>(*code & 0xffffffff));
  known_.emplace_back(trial, std::move(at));
}

void FractionalTrials::take(const Arrivals& arrivals, double unit) {
  const int classes = pruning_.sums().classes;
  if (arrivals.channels != static_cast<std::size_t>(classes) + 1)
    throw std::invalid_argument("an answer about another number of classes");
  for (const auto& [node, reached] : reached_) {
    NodeSpread spread{node, reached.share, std::vector<double>(classes, 0), 0};
    const std::size_t place = place_of(arrivals.sums, static_cast<std::uint64_t>(node));
    if (place < arrivals.sums.keys.size()) {
      const std::int64_t* own = arrivals.sums.weights.data() + place * arrivals.channels;
      for (int c = 0; c < classes; ++c) spread.weights[c] = static_cast<double>(own[c]) * unit;
      spread.rows = own[classes];
    }
    tried_[reached.trial].found.spread.push_back(std::move(spread));
    if (!pruning_.surviving().is_leaf(node)) take_known(node, reached.trial, arrivals);
  }
}

}  // namespace hardwood
