#include "distributed/parts_store.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "data/keys.hpp"
#include "data/load.hpp"
#include "distributed/gathered_rows.hpp"

namespace hardwood {

namespace {

constexpr std::int64_t most_cells = 1 << 23;     // of the histograms that one round trip asks for, about
constexpr std::int64_t most_gathered = 1 << 26;  // values (rows x columns) that one round trip fetches
constexpr std::int32_t least_levels = 4;         // below a small node that are worth its rows
constexpr double work_ahead = 1 << 27;  // rows x columns that may be looked at in vain in one round trip

std::vector<double> class_weights(const SplitAnswer& answer, std::size_t child, std::size_t classes) {
  if (answer.weights.size() < (child + 1) * classes) throw std::invalid_argument("class weights are missing");
  const auto first = answer.weights.begin() + static_cast<std::ptrdiff_t>(child * classes);
  return {first, first + static_cast<std::ptrdiff_t>(classes)};
}

}  // namespace

void ask_uncoded(const TablePlan& plan, const std::vector<char>* allowed, std::int32_t node,
                 QuestionBatch& out) {
  for (std::uint32_t c = 0; c < plan.columns.size(); ++c)
    if (plan.columns[c].coding == PartCoding::uncoded && (!allowed || (*allowed)[c]))
      out.questions.push_back({node, {c, {}}});
}

PartsStore::PartsStore(Team& team, const TablePlan& plan, const GrowthRules& rules, PartsRoot root, Pool& pool,
                       Poll poll)
    : team_(team), plan_(plan), rules_(rules), leaf_rules_(rules), root_(std::move(root)), pool_(pool),
      poll_(std::move(poll)), counted_(root_.examples >= 0),
      channels_(static_cast<int>(root_.weights.size()) + (root_.examples >= 0 ? 1 : 0)) {
  for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
    if (plan.columns[c].coding == PartCoding::uncoded && (!rules.allowed || (*rules.allowed)[c]))
      uncoded_.push_back(c);
  }
  all_labels_.resize(root_.weights.size());
  std::iota(all_labels_.begin(), all_labels_.end(), 0);
}

auto PartsStore::make_leaf(std::int32_t depth) -> std::unique_ptr<PartsLeaf> {
  auto leaf = std::make_unique<PartsLeaf>();
  leaf->depth = depth;
  leaf->name = static_cast<std::int32_t>(named_.size());
  named_.emplace_back();
  return leaf;
}

// `weights` are those of the labels; the number of examples comes later.
void PartsStore::set_totals(PartsLeaf& leaf, const std::vector<std::int32_t>& labels,
                            const double* weights) const {
  std::vector<std::int32_t> present;
  std::vector<double> own;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (!(weights[k] > 0)) continue;
    present.push_back(labels[k]);
    own.push_back(weights[k]);
  }
  const double unknown = std::numeric_limits<double>::infinity();
  leaf_rules_.set_totals(leaf, std::move(present), std::move(own), counted_ ? unknown : -1);
}

LeafPtr PartsStore::root(bool search) {
  auto first = make_leaf(0);
  set_totals(*first, all_labels_, root_.weights.data());
  leaf_rules_.set_root(*first);
  leaf_rules_.guide_root(*first);
  named_[0].rows = first->rows = root_.rows;
  if (counted_) first->totals.total.back() = root_.examples;
  if (search && leaf_rules_.may_split(*first)) {
    first->cells = std::move(root_.cells);
    first->uncoded = std::move(root_.uncoded);
    search_all({first.get()});
  }
  return first;
}

Lookahead PartsStore::lookahead(std::int64_t room, bool budget) const {
  const auto cells = static_cast<std::int64_t>(plan_.total) * channels_;
  const std::int64_t leaves = std::max<std::int64_t>(1, most_cells / std::max<std::int64_t>(cells, 1));
  const double unlimited = std::numeric_limits<double>::infinity();
  const auto columns = static_cast<double>(std::max<std::size_t>(plan_.columns.size(), 1));
  if (!budget) return {std::numeric_limits<std::int64_t>::max(), leaves, unlimited};
  return {room, leaves, work_ahead / columns};
}

void PartsStore::joined(const Leaf& leaf) {
  const std::int32_t name = take_name(leaf);
  named_[name].node = leaf.node;
  name_of_.push_back(name);
}

// Gives the leaf its children; the parts are told with the next round trip.
void PartsStore::divide(PartsLeaf& leaf) {
  NodeSplit order{leaf.name, leaf.split, {}};
  const std::size_t classes = leaf.labels.size();
  for (std::int32_t b = 0; b < leaf.split.arity; ++b) {
    auto child = make_leaf(leaf.depth + 1);
    if (root_.fractional) child->share = leaf.split.share(b);
    else set_totals(*child, leaf.labels, leaf.split.weights.data() + b * classes);
    leaf_rules_.inherit(leaf, b, *child);
    if (!root_.fractional) leaf_rules_.guide_branch(leaf, *child, static_cast<std::size_t>(b));
    order.children.push_back(child->name);
    leaf.children.push_back(std::move(child));
  }
  named_[leaf.name].children = order.children;
  unsent_.push_back(std::move(order));
}

// As far as it is known before the parts have divided the node.
bool PartsStore::may_need_search(const PartsLeaf& child) const {
  if (!root_.fractional) return leaf_rules_.may_split(child);
  return rules_.draft || !rules_.max_depth || child.depth < rules_.max_depth;
}

// The children whose histograms are asked for: those that need one, without the heaviest where that one is what
// the others leave of the parent.
void PartsStore::add_asked(PartsLeaf& leaf, const std::vector<char>& needs,
                           std::vector<PartsLeaf*>& asked) const {
  const auto weight = [&](std::size_t i) {
    return root_.fractional ? leaf.children[i]->share : leaf.children[i]->totals.weight;
  };
  std::size_t heaviest = 0;
  for (std::size_t i = 1; i < needs.size(); ++i)
    if (weight(i) >= weight(heaviest)) heaviest = i;
  // Examples of a piece without weight are lost, so the rest of a node would have too many.
  const bool adds_up = !root_.fractional || !counted_;
  const bool by_rest = needs[heaviest] && !leaf.cells.empty() && adds_up;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (i != heaviest ? needs[i] || by_rest : needs[i] && !by_rest) asked.push_back(&cast(*leaf.children[i]));
}

void PartsStore::expand(std::span<const Expansion> leaves) {
  std::vector<PartsLeaf*> needed, asked;
  std::vector<Expansion> by_sums, by_rows;
  GatherRows gather;
  std::int64_t values = 0;
  for (const Expansion& each : leaves) {
    PartsLeaf& leaf = cast(*each.leaf);
    divide(leaf);
    const auto own = leaf.rows * static_cast<std::int64_t>(plan_.columns.size());
    const bool small = each.more_to_come && is_small(leaf) && values + own <= most_gathered;
    (small ? by_rows : by_sums).push_back(each);
    values += small ? own : 0;
    std::vector<char> needs;
    for (const LeafPtr& child : leaf.children) {
      needs.push_back(each.more_to_come && may_need_search(cast(*child)));
      cast(*child).needed = needs.back();
      if (!needs.back()) continue;
      if (small) gather.nodes.push_back(cast(*child).name);
      else needed.push_back(&cast(*child));
    }
    if (!small) add_asked(leaf, needs, asked);
  }
  if (!needed.empty() || !gather.nodes.empty() || root_.fractional) {
    HistogramsOf histograms;
    QuestionBatch questions;
    for (const PartsLeaf* leaf : asked) histograms.nodes.push_back(leaf->name);
    for (const PartsLeaf* leaf : needed) ask_uncoded(plan_, rules_.allowed, leaf->name, questions);
    std::vector<Request> requests{histograms, questions};
    if (!gather.nodes.empty()) requests.push_back(gather);
    TeamAnswer answer = flush({}, requests);
    for (const Expansion& each : leaves) take_sums(cast(*each.leaf));
    take_histograms(by_sums, asked, std::get<HistogramBatch>(answer.requests[0]));
    const KeySumsBatch& sums = std::get<KeySumsBatch>(answer.requests[1]);
    for (std::size_t i = 0; i < needed.size(); ++i)
      needed[i]->uncoded.assign(sums.sums.begin() + i * uncoded_.size(),
                                sums.sums.begin() + (i + 1) * uncoded_.size());
    std::erase_if(needed, [&](const PartsLeaf* leaf) { return !leaf_rules_.may_split(*leaf); });
    search_all(needed);
    if (!gather.nodes.empty()) expand_by_rows(by_rows, std::move(std::get<RowBatch>(answer.requests[2])));
  }
  for (const Expansion& each : leaves) each.leaf->state.store(LeafState::expanded, std::memory_order_release);
}

// Whether its rows are worth fetching: all that is below it is grown then, which must be of use.
bool PartsStore::is_small(const PartsLeaf& leaf) const {
  if (root_.fractional || rules_.max_leaves || rules_.prices || rules_.draft) return false;
  if (rules_.max_depth && leaf.depth + least_levels > rules_.max_depth) return false;
  return leaf.rows * static_cast<std::int64_t>(plan_.columns.size()) <= root_.small_node;
}

void PartsStore::expand_by_rows(std::span<const Expansion> leaves, RowBatch rows) {
  GatheredNodes nodes{plan_, rules_, leaf_rules_.root_weight(), static_cast<int>(root_.weights.size()), {}};
  std::vector<LeafPtr*> from;
  for (const Expansion& each : leaves)
    for (LeafPtr& child : each.leaf->children) {
      if (!cast(*child).needed) continue;
      from.push_back(&child);
      nodes.leaves.push_back(child.get());
    }
  std::vector<LeafPtr> grown = grow_gathered(nodes, std::move(rows), pool_, poll_);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int32_t name = cast(**from[i]).name;
    *from[i] = std::move(grown[i]);
    take_over(**from[i], name);
  }
  for (const Expansion& each : leaves) cast(*each.leaf).cells = {};
}

// Names for what was grown below a small node.
void PartsStore::take_over(Leaf& top, std::int32_t top_name) {
  std::vector<std::pair<Leaf*, std::int32_t>> left{{&top, top_name}};
  while (!left.empty()) {
    const auto [leaf, name] = left.back();
    left.pop_back();
    gathered_names_[leaf] = name;
    named_[name].rows = leaf->rows;
    if (leaf->children.empty()) continue;
    NodeSplit order{name, leaf->split, {}};
    for (const LeafPtr& child : leaf->children) {
      order.children.push_back(static_cast<std::int32_t>(named_.size()));
      left.emplace_back(child.get(), order.children.back());
      named_.emplace_back();
    }
    named_[name].children = order.children;
    named_[name].sent = true;
    gathered_.push_back(std::move(order));
  }
}

// A leaf is asked for its name once: another may stand in its memory later.
std::int32_t PartsStore::take_name(const Leaf& leaf) {
  const auto gathered = gathered_names_.find(&leaf);
  if (gathered == gathered_names_.end()) return static_cast<const PartsLeaf&>(leaf).name;
  const std::int32_t name = gathered->second;
  gathered_names_.erase(gathered);
  return name;
}

// What the parts have told of the children of a leaf.
void PartsStore::take_sums(PartsLeaf& leaf) const {
  for (std::size_t b = 0; b < leaf.children.size(); ++b) {
    PartsLeaf& child = cast(*leaf.children[b]);
    const Named& named = named_[child.name];
    if (root_.fractional) {
      set_totals(child, all_labels_, named.weights.data());
      leaf_rules_.guide_branch(leaf, child, b);
    }
    if (!child.needed) continue;
    child.rows = named.rows;
    if (counted_) child.totals.total.back() = named.examples;
  }
}

void PartsStore::take_histograms(std::span<const Expansion> leaves, const std::vector<PartsLeaf*>& asked,
                                 const HistogramBatch& histograms) {
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i]->cells = histograms.cells(i);
    if (asked[i]->cells.size() != plan_.total * channels_)
      throw std::invalid_argument("a histogram of another size");
  }
  for (const Expansion& each : leaves) {
    PartsLeaf& parent = cast(*each.leaf);
    PartsLeaf* rest = nullptr;
    std::size_t without = 0;
    for (const LeafPtr& child : parent.children)
      if (cast(*child).cells.empty()) rest = &cast(*child), ++without;
    if (without == 1 && rest->needed && !parent.cells.empty()) {
      rest->cells = std::move(parent.cells);
      for (const LeafPtr& child : parent.children) {
        if (child.get() == rest) continue;
        const auto& own = cast(*child).cells;
        for (std::size_t k = 0; k < own.size(); ++k) rest->cells[k] -= own[k];
      }
    }
    parent.cells = {};
  }
  for (PartsLeaf* leaf : asked)
    if (!leaf->needed) leaf->cells = {};
}

TeamAnswer PartsStore::flush(std::vector<Event> events, const std::vector<Request>& requests) {
  std::vector<NodeSplit> sent;
  sent.swap(unsent_);
  if (!growing_)  // splits whose turn never came are of no use any more
    std::erase_if(sent, [&](const NodeSplit& each) { return named_[each.children[0]].node < 0; });
  if (!sent.empty()) events.insert(events.begin(), SplitBatch{sent});
  TeamAnswer answer = team_.ask(events, requests);
  if (sent.empty()) return answer;
  take_answer(sent, std::get<SplitAnswer>(answer.events[0]));
  answer.events.erase(answer.events.begin());
  return answer;
}

void PartsStore::take_answer(const std::vector<NodeSplit>& sent, const SplitAnswer& answer) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    Named& named = named_[sent[i].node];
    named.sent = true;
    named.below = answer.below.at(i);
    named.above = answer.above.at(i);
    for (std::int32_t child : sent[i].children) {
      named_[child].rows = answer.rows.at(at);
      if (root_.fractional) named_[child].weights = class_weights(answer, at, root_.weights.size());
      named_[child].examples = static_cast<double>(answer.examples.at(at++));
    }
  }
}

std::vector<std::int32_t> PartsStore::names_of(std::int32_t node) const {
  std::vector<std::int32_t> names, below{name_of_[node]};
  while (!below.empty()) {
    const std::int32_t name = below.back();
    below.pop_back();
    const Named& named = named_[name];
    if (named.sent) below.insert(below.end(), named.children.begin(), named.children.end());
    else names.push_back(name);
  }
  return names;
}

void PartsStore::finish(Growth& growth, std::span<Leaf* const>) {
  growing_ = false;
  if (!unsent_.empty()) flush({}, {});
  for (std::size_t node = 0; node < name_of_.size(); ++node)
    growth.tree.rows[node] = named_[name_of_[node]].rows;
  for (std::size_t k = 0; k < growth.splits.size(); ++k) {
    Split& split = growth.splits[k];
    if (split.bucket == none || split.cuts.empty()) continue;
    const bool bucketed = plan_.columns[split.column].bucketed();
    const Named& named = named_[name_of_[growth.split_nodes[k]]];
    split.below.assign(1, bucketed ? named.below : split.bucket);
    split.above.assign(1, bucketed ? named.above : split.next_bucket);
  }
  if (!root_.fractional) growth.tree.share.clear();
}

Threshold PartsStore::threshold(std::uint32_t c, std::uint64_t below, std::uint64_t above) const {
  const ColumnPlan& column = plan_.columns[c];
  if (!column.bucketed()) {
    below = column.keys[below];
    above = column.keys[above];
  }
  if (column.kind == ColumnKind::numeric) {
    return threshold_between(value_of(below), value_of(above), column.whole);
  }
  const std::uint64_t flip = key_flip(column.kind);
  return integer_threshold_between(below ^ flip, above ^ flip, column.kind == ColumnKind::integer);
}

}  // namespace hardwood
