#include "growing/fractional_store.hpp"

#include "growing/fractional_division.hpp"
#include "growing/partition.hpp"
#include "growing/told_pieces.hpp"

namespace hardwood {

FractionalStore::FractionalStore(const Problem& problem, const GrowthRules& rules, const NodeRows& root,
                                 const std::vector<std::uint32_t>& rows, Pool& pool, const Poll& poll)
    : ThreadedStore(pool, poll), problem_(problem), rules_(rules), leaf_rules_(rules), root_(root), rows_(rows),
      search_(problem, pool, poll_) {}

auto FractionalStore::make_leaf(Items items, std::int32_t depth, double share) const
    -> std::unique_ptr<FractionalLeaf> {
  auto leaf = std::make_unique<FractionalLeaf>();
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  for (const ClassRows& piece : items.by_class.classes) {
    std::int64_t weight = 0;
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) weight += items.weight[i];
    labels.push_back(piece.label);
    weights.push_back(static_cast<double>(weight));
  }
  std::int64_t examples = 0;
  for (std::int64_t each : items.examples) examples += each;
  leaf_rules_.set_totals(*leaf, std::move(labels), std::move(weights),
                         problem_.examples ? static_cast<double>(examples) : -1);
  leaf->rows = items.size();
  leaf->depth = depth;
  leaf->share = share;
  leaf->items = std::move(items);
  return leaf;
}

LeafPtr FractionalStore::root(bool search) {
  auto first = make_leaf(root_items(problem_, root_, rows_), 0, 1.0);
  leaf_rules_.set_root(*first);
  leaf_rules_.guide_root(*first);
  if (search) find_split(*first);
  return first;
}

// The split that the draft tells; where there is none the leaf is free.
void FractionalStore::follow(FractionalLeaf& leaf) {
  const bool whole = leaf.told->kind == Instruction::Kind::split;
  leaf_rules_.follow(leaf, whole ? told_pieces(problem_, leaf.items, leaf.totals, *leaf.told) : search(leaf));
}

// Examples are kept only where they may be divided.
void FractionalStore::find_split(FractionalLeaf& leaf) {
  if (leaf_rules_.is_told(leaf)) follow(leaf);
  if (!leaf_rules_.is_told(leaf) && leaf_rules_.may_split(leaf)) leaf_rules_.settle(leaf, search(leaf));
  if (leaf.split.found() || (leaf.searched && rules_.prices)) return;
  leaf.items.row = {};
  leaf.items.weight = {};
  leaf.items.examples = {};
}

Split FractionalStore::multiway(Leaf& leaf, const MultiwayOffer& offer) {
  const double binary = leaf.split.found() ? leaf.totals.cost - leaf.split.cost : 0.0;
  const MultiwayRequest request{leaf.totals, offer.prices, offer.min_drop, leaf_rules_.root_weight(), binary};
  return search_.multiway(cast(leaf).items, request, leaf_rules_.allowed(leaf), leaf.exact);
}

void FractionalStore::expand_one(Leaf& any, bool more_to_come, double) {
  poll_();
  FractionalLeaf& leaf = cast(any);
  std::vector<Items> branches = divide(problem_, leaf.items, leaf.split);
  leaf.items = {};
  for (std::size_t j = 0; j < branches.size(); ++j) {
    auto child =
        make_leaf(std::move(branches[j]), leaf.depth + 1, leaf.split.share(static_cast<std::int32_t>(j)));
    leaf_rules_.inherit(leaf, static_cast<std::int32_t>(j), *child);
    leaf_rules_.guide_branch(leaf, *child, j);
    if (more_to_come) find_split(*child);
    leaf.children.push_back(std::move(child));
  }
}

Threshold FractionalStore::threshold(std::uint32_t c, std::uint64_t below, std::uint64_t above) const {
  return threshold_of_codes(problem_.table->columns[c], below, above);
}

}  // namespace hardwood
