#include "growing/memory_search.hpp"

#include <type_traits>

#include "growing/told_split.hpp"

namespace hardwood {

template <class Cell>
MemorySearch<Cell>::MemorySearch(Workspace<Cell>& workspace, const GrowthRules& rules,
                                 const LeafRules& leaf_rules, Pool& pool)
    : workspace_(workspace), builder_(workspace.builder), problem_(builder_.problem()), rules_(rules),
      leaf_rules_(leaf_rules), pool_(pool) {
  for (std::size_t c = 0; c < problem_.table->columns.size(); ++c)
    columns_ += !rules.allowed || (*rules.allowed)[c] ? 1 : 0;
}

template <class Cell>
NodeView<Cell> MemorySearch<Cell>::view_of(Leaf& leaf) const {
  NodeView<Cell> view{problem_,
                      builder_.layout(),
                      leaf.own,
                      leaf.arrays.rows,
                      leaf.histogram.get(),
                      leaf.totals,
                      {},
                      leaf.arrays.weights,
                      workspace_.order,
                      leaf.kept.begun() ? &leaf.kept : nullptr,
                      leaf.bits.get()};
  for (int channel : builder_.channels(leaf.own))
    view.channel_offset.push_back(channel * builder_.layout().total);
  return view;
}

// From its heaviest rows, or as published.
template <class Cell>
Split MemorySearch<Cell>::search_rows(Leaf& leaf) {
  if constexpr (std::is_same_v<Cell, PrunedSearch::Cell>) {
    const auto use = [&](auto& lender, auto&&... arguments) {
      auto search = lender.take();
      auto cells = builder_.borrow();
      auto result = search->run(arguments..., problem_, builder_.layout(), leaf.own, leaf.arrays.rows,
                                cells.get(), leaf.totals, leaf_rules_.allowed(leaf));
      builder_.release(std::move(cells));
      lender.give_back(std::move(search));
      leaf.assessments = result.assessments;
      return std::move(result.split);
    };
    if (rules_.search == GrowthRules::Search::pruned) return use(workspace_.pruned_searches);
    if (rules_.search == GrowthRules::Search::race) {
      Split split = use(workspace_.races, rules_.race);
      // Below a constant stump the paper's program seeks the same node again, level by level.
      if (rules_.race.constants && !split.found()) leaf.assessments *= levels_below(leaf);
      return split;
    }
  }
  return {};
}

// From the leaf's histogram. Nothing where the buckets of its columns are left for later: a small leaf may
// never have its turn. Large ones have theirs, and give their sums by slices to a branch.
template <class Cell>
std::optional<Split> MemorySearch<Cell>::search(Leaf& leaf, double least_drop) {
  note_searched(leaf);
  auto search = workspace_.searches.take();
  const NodeView<Cell> view = view_of(leaf);
  search->look(view, leaf_rules_.allowed(leaf),
               rules_.search == GrowthRules::Search::bounded ? &sides_ : nullptr,
               leaf_rules_.most_cost(leaf, least_drop), &pool_);
  leaf.exact = search->exact();
  const double lowest = search->lowest();
  const bool waits = lowest != impossible && rules_.only_largest_drops() && leaf.depth > 0 &&
                     !leaf.kept.begun() && builder_.worth_keeping(leaf.own);
  std::optional<Split> out;
  if (waits) {
    leaf.notes = workspace_.notes.take();
    leaf.so_far = search->put_off(*leaf.notes);
    leaf_rules_.leave_open(leaf, leaf.so_far, lowest);
  } else {
    search->open_buckets(view, &pool_);
    out = search->finish();
  }
  workspace_.searches.give_back(std::move(search));
  return out;
}

template <class Cell>
void MemorySearch<Cell>::note_searched(Leaf& leaf) const {
  leaf.searched = true;
  leaf.assessments = columns_ * leaf.rows;
}

template <class Cell>
void MemorySearch<Cell>::decide(Leaf& leaf, double least_drop) {
  auto search = workspace_.searches.take();
  Split best = std::move(leaf.so_far);
  if (const double most = leaf_rules_.most_cost(leaf, least_drop); best.cost > most) {
    best = {};
    best.cost = most;
  }
  search->take_up(*leaf.notes, std::move(best));
  search->open_buckets(view_of(leaf), &pool_);
  workspace_.notes.give_back(std::move(leaf.notes));
  leaf_rules_.settle(leaf, search->finish());
  workspace_.searches.give_back(std::move(search));
  if (!leaf.split.found()) builder_.release(std::move(leaf.histogram));
}

// Levels at which a node may still be split; 1 where depth has no limit.
template <class Cell>
std::int64_t MemorySearch<Cell>::levels_below(const Leaf& leaf) const {
  return rules_.max_depth ? rules_.max_depth - leaf.depth : 1;
}

// It is sought in vain, level by level.
template <class Cell>
void MemorySearch<Cell>::count_pure(Leaf& leaf) {
  if (!rules_.race.constants || leaf.totals.classes > 1 || levels_below(leaf) < 1) return;
  auto race = workspace_.races.take();
  leaf.assessments = levels_below(leaf) *
                     race->assessments_of_pure(rules_.race, problem_, leaf.own, leaf.arrays.rows, columns_);
  workspace_.races.give_back(std::move(race));
}

// The split that the draft tells; where there is none the leaf is free.
template <class Cell>
void MemorySearch<Cell>::follow(Leaf& leaf) {
  const bool whole = leaf.told->kind == Instruction::Kind::split;
  leaf_rules_.follow(leaf, whole ? told_split(problem_, leaf.own, leaf.arrays.rows, leaf.totals, *leaf.told)
                           : by_histograms() ? *search(leaf, 0)
                                             : search_rows(leaf));
}

template <class Cell>
void MemorySearch<Cell>::find_split(Leaf& leaf, double least_drop) {
  if (leaf_rules_.is_told(leaf)) follow(leaf);
  if (!leaf_rules_.is_told(leaf) && leaf_rules_.may_split(leaf)) {
    std::optional<Split> found = by_histograms() ? search(leaf, least_drop) : search_rows(leaf);
    if (!found) return;
    leaf_rules_.settle(leaf, std::move(*found));
  }
  if (!leaf.split.found() || !builder_.worth_keeping(leaf.own)) builder_.release(std::move(leaf.histogram));
  leaf.kept.end();
  if (!leaf.split.found()) leaf.kept.clear();
}

template <class Cell>
Split MemorySearch<Cell>::multiway(Leaf& leaf, const MultiwayOffer& offer) {
  const double binary = leaf.split.found() ? leaf.totals.cost - leaf.split.cost : 0.0;
  const MultiwayRequest request{leaf.totals, offer.prices, offer.min_drop, leaf_rules_.root_weight(), binary};
  if (!leaf.histogram) leaf.histogram = builder_.build(leaf.own, leaf.arrays, pool_);
  const NodeView<Cell> view = view_of(leaf);
  const EncodedTable& table = *problem_.table;
  const std::vector<char>* allowed = leaf_rules_.allowed(leaf);
  const std::size_t lanes = table.lanes.size();
  std::vector<Split> found(lanes + 1);
  std::vector<char> exact(lanes + 1, 1);
  pool_.parallel_for(lanes + 1, [&](std::size_t l) {
    auto search = workspace_.searches.take();
    auto several = workspace_.multiway_searches.take();
    several->begin();
    const auto visit = [&](std::uint32_t c, const Groups& groups) {
      if (!allowed || (*allowed)[c]) several->try_column(request, table.columns[c].kind, c, groups);
    };
    if (l < lanes) search->visit_lane(view, static_cast<std::uint32_t>(l), visit);
    else search->visit_entries(view, visit);
    found[l] = several->best();
    exact[l] = several->exact();
    workspace_.multiway_searches.give_back(std::move(several));
    workspace_.searches.give_back(std::move(search));
  });
  Split best;
  for (std::size_t l = 0; l <= lanes; ++l) {
    if (found[l].found() && precedes_by_merit(found[l], best)) best = std::move(found[l]);
    leaf.exact = leaf.exact && exact[l];
  }
  return best;
}

template class MemorySearch<std::uint32_t>;
template class MemorySearch<std::int64_t>;

}  // namespace hardwood
