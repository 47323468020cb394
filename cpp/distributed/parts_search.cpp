// How PartsStore finds the splits of leaves.
#include "distributed/parts_store.hpp"

namespace hardwood {

namespace {

constexpr double most_keys = 1 << 21;  // asked for in one round trip, about

}  // namespace

// Finds the best splits of leaves: histograms first, then the buckets that could hold the best cut, for all
// leaves in the same round trips.
void PartsStore::search_all(const std::vector<PartsLeaf*>& leaves) {
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
  for (PartsLeaf* leaf : leaves) {
    leaf->exact = leaf->search->exact();
    leaf_rules_.settle(*leaf, leaf->search->best());
    if (keep_all()) continue;
    leaf->search = nullptr;
    leaf->uncoded = {};
    // A histogram is kept where it spares more than it takes.
    const bool worth = static_cast<std::size_t>(leaf->rows) * plan_.columns.size() > leaf->cells.size();
    if (!leaf->split.found() || !worth) leaf->cells = {};
  }
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
