// How PartsStore finds the splits of leaves.
#include <algorithm>

#include "distributed/parts_store.hpp"
#include "distributed/told_parts.hpp"
#include "growing/told_pieces.hpp"
#include "growing/told_split.hpp"

namespace hardwood {

namespace {

constexpr double most_keys = 1 << 21;  // asked for in one round trip, about

}  // namespace

// Splits that the draft tells come first; a leaf whose instruction cannot be followed is searched as if it had
// none.
void PartsStore::search_all(const std::vector<PartsLeaf*>& leaves) {
  std::vector<PartsLeaf*> given, open;
  for (PartsLeaf* leaf : leaves) {
    const bool whole = leaf_rules_.is_told(*leaf) && leaf->told->kind == Instruction::Kind::split;
    (whole ? given : open).push_back(leaf);
  }
  follow(given);
  for (PartsLeaf* leaf : given)
    if (!leaf_rules_.is_told(*leaf) && leaf_rules_.may_split(*leaf)) open.push_back(leaf);
  search(open);
  std::vector<PartsLeaf*> again;
  for (PartsLeaf* leaf : open) {
    const bool named = leaf_rules_.is_told(*leaf);
    settle(*leaf);
    if (named && !leaf_rules_.is_told(*leaf) && leaf_rules_.may_split(*leaf)) again.push_back(leaf);
  }
  search(again);
  for (PartsLeaf* leaf : again) settle(*leaf);
  for (PartsLeaf* leaf : leaves) {
    if (keep_all()) continue;
    leaf->search = nullptr;
    leaf->uncoded = {};
    // A histogram is kept where it spares more than it takes.
    const bool worth = static_cast<std::size_t>(leaf->rows) * plan_.columns.size() > leaf->cells.size();
    if (!leaf->split.found() || !worth) leaf->cells = {};
  }
}

// Whole splits that are told: their sums from the histograms and, where a cut lies inside a bucket, from the
// keys below it, for all leaves in one round trip.
void PartsStore::follow(const std::vector<PartsLeaf*>& leaves) {
  QuestionBatch questions;
  std::vector<PartsLeaf*> possible;
  std::vector<Split> splits;
  for (PartsLeaf* leaf : leaves) {
    const ColumnPlan& column = plan_.columns[leaf->told->column];
    Split split;
    if (!set_told_cuts(column, *leaf->told, split)) {
      leaf_rules_.follow(*leaf, {});
      continue;
    }
    if (auto intervals = divided_buckets(column, split); !intervals.empty())
      questions.questions.push_back({leaf->name, {leaf->told->column, std::move(intervals)}});
    possible.push_back(leaf);
    splits.push_back(std::move(split));
  }
  KeySumsBatch divided;
  if (!questions.questions.empty())
    divided = std::move(std::get<KeySumsBatch>(flush({}, {questions}).requests[0]));
  std::size_t next = 0;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    const bool asked = next < questions.questions.size() && questions.questions[next].node == possible[i]->name;
    leaf_rules_.follow(*possible[i],
                       told(*possible[i], std::move(splits[i]), asked ? divided.sums.at(next) : KeySums{}));
    next += asked ? 1 : 0;
  }
}

Split PartsStore::told(const PartsLeaf& leaf, Split split, const KeySums& divided) const {
  const Instruction& line = *leaf.told;
  const auto place = std::find(uncoded_.begin(), uncoded_.end(), line.column) - uncoded_.begin();
  const KeySums none_uncoded;
  const bool uncoded = static_cast<std::size_t>(place) < uncoded_.size();
  const ToldSums sums =
      told_sums({plan_, leaf.labels, channels_, leaf.cells,
                 uncoded ? leaf.uncoded.at(static_cast<std::size_t>(place)) : none_uncoded, divided},
                split, line.column);
  return root_.fractional ? told_pieces(sums, std::move(split), leaf.totals, line)
                          : told_split(sums, std::move(split), leaf.totals, line);
}

void PartsStore::settle(PartsLeaf& leaf) {
  leaf.exact = leaf.search->exact();
  if (leaf_rules_.is_told(leaf)) leaf_rules_.follow(leaf, leaf.search->best());
  else leaf_rules_.settle(leaf, leaf.search->best());
}

// Finds the best splits of leaves: histograms first, then the buckets that could hold the best cut, for all
// leaves in the same round trips.
void PartsStore::search(const std::vector<PartsLeaf*>& leaves) {
  pool_.parallel_for(leaves.size(), [&](std::size_t i) {
    PartsLeaf& leaf = *leaves[i];
    leaf.search = std::make_unique<MergedSearch>(plan_, leaf.totals,
                                                 std::vector<int>(leaf.labels.begin(), leaf.labels.end()),
                                                 channels_, root_.fractional);
    const std::vector<char>* allowed = leaf_rules_.allowed(leaf);
    leaf.search->run(leaf.cells.data(), allowed);
    for (std::size_t k = 0; k < uncoded_.size(); ++k)
      if (!allowed || (*allowed)[uncoded_[k]]) leaf.search->try_uncoded(uncoded_[k], leaf.uncoded[k]);
  });
  while (open_buckets(leaves)) continue;
}

// A round trip carries a bounded number of keys. False when there was nothing to ask.
bool PartsStore::open_buckets(const std::vector<PartsLeaf*>& leaves) {
  QuestionBatch questions;
  std::vector<PartsLeaf*> whose;
  double keys = 0;
  bool any = false;
  const auto open_now = [&] {
    if (whose.empty()) return;
    const TeamAnswer answer = flush({}, {questions});
    const KeySumsBatch& sums = std::get<KeySumsBatch>(answer.requests[0]);
    for (std::size_t i = 0; i < whose.size(); ++i)
      whose[i]->search->offer(whose[i]->cells.data(), questions.questions[i].question.column, sums.sums.at(i));
    questions.questions.clear();
    whose.clear();
    keys = 0;
  };
  for (PartsLeaf* leaf : leaves)
    for (WantedKeys& wanted : leaf->search->wanted(static_cast<double>(leaf->rows))) {
      any = true;
      questions.questions.push_back({leaf->name, {wanted.column, std::move(wanted.intervals)}});
      whose.push_back(leaf);
      keys += wanted.keys;
      if (keys > most_keys) open_now();
    }
  open_now();
  return any;
}

// The keys beside the places where branches may part, for all columns in the same round trips.
void PartsStore::open_places(PartsLeaf& leaf, std::vector<ColumnPlaces>& columns) {
  for (;;) {
    QuestionBatch questions;
    std::vector<ColumnPlaces*> whose;
    for (ColumnPlaces& each : columns) {
      std::vector<KeyInterval> wanted = each.search.wanted();
      if (wanted.empty()) continue;
      questions.questions.push_back({leaf.name, {each.column, std::move(wanted)}});
      whose.push_back(&each);
    }
    if (whose.empty()) return;
    const TeamAnswer answer = flush({}, {questions});
    const KeySumsBatch& sums = std::get<KeySumsBatch>(answer.requests[0]);
    for (std::size_t i = 0; i < whose.size(); ++i)
      whose[i]->search.offer(sums.sums.at(i), leaf.search->channels(), sums.channels);
  }
}

Split PartsStore::multiway(Leaf& any, const MultiwayOffer& offer) {
  PartsLeaf& leaf = cast(any);
  const double binary = leaf.split.found() ? leaf.totals.cost - leaf.split.cost : 0.0;
  const MultiwayRequest request{leaf.totals, offer.prices, offer.min_drop, leaf_rules_.root_weight(), binary};
  std::vector<KeySums> uncoded(plan_.columns.size());
  for (std::size_t k = 0; k < uncoded_.size(); ++k) uncoded[uncoded_[k]] = leaf.uncoded[k];
  const std::vector<char>* allowed = leaf_rules_.allowed(leaf);
  auto places = leaf.search->places(request, leaf.cells.data(), static_cast<double>(leaf.rows), allowed);
  open_places(leaf, places);
  Split found = leaf.search->multiway(request, leaf.cells.data(), places, uncoded, allowed);
  leaf.exact = leaf.search->exact();
  return found;
}

}  // namespace hardwood
