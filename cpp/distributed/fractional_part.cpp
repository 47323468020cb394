#include "distributed/fractional_part.hpp"

#include <algorithm>
#include <stdexcept>

#include "distributed/item_histograms.hpp"
#include "growing/fractional_division.hpp"

namespace hardwood {

FractionalPart::FractionalPart(const Part& part) : part_(part) {
  const NodeItems all = part.items(0);
  Items root;
  root.by_class = all.by_class;
  root.row = part.row_list();
  for (std::uint32_t i = 0; i < root.size(); ++i) {
    root.weight.push_back(all.weight(i));
    if (all.examples) root.examples.push_back(all.count(i));
  }
  nodes_.emplace(0, std::move(root));
}

const Items& FractionalPart::items(std::int32_t node) const {
  const auto at = nodes_.find(node);
  if (at == nodes_.end()) throw std::invalid_argument("a node that this part does not have");
  return at->second;
}

void FractionalPart::split(const NodeSplit& order, SplitAnswer& answer) {
  const Split& split = order.split;
  check_split(split, part_.plan());
  const auto arity = static_cast<std::size_t>(split.arity);
  const bool shares = split.known.size() == arity &&
                      std::all_of(split.known.begin(), split.known.end(), [](auto w) { return w > 0; });
  if (order.children.size() != arity || !shares)
    throw std::invalid_argument("a child and a known weight per branch are needed");
  const Items& node = items(order.node);
  std::vector<std::int32_t> branch(node.size());
  KeysBesideCut beside;
  with_branches(part_.table(), part_.plan(), split, every_branch, beside, [&](auto branch_of) {
    for (std::uint32_t i = 0; i < node.size(); ++i) branch[i] = branch_of(node.row[i], node.row[i]);
  });
  std::vector<Items> branches = share_out(node, branch, split);
  nodes_.erase(order.node);
  const auto classes = static_cast<std::size_t>(part_.label_count());
  for (std::size_t b = 0; b < arity; ++b) {
    const NodeItems own = view(branches[b]);
    std::int64_t examples = 0;
    const std::size_t first = answer.weights.size();
    answer.weights.resize(first + classes, 0);
    own.each([&](std::uint32_t i, std::int32_t label) {
      answer.weights[first + label] += own.weight(i);
      examples += own.count(i);
    });
    answer.rows.push_back(branches[b].size());
    answer.examples.push_back(examples);
    nodes_[order.children[b]] = std::move(branches[b]);
  }
  answer.below.push_back(beside.below);
  answer.above.push_back(beside.above);
}

HistogramBatch FractionalPart::histograms(const std::vector<std::int32_t>& numbers) const {
  const TablePlan& plan = part_.plan();
  HistogramBatch out(part_.channels() * plan.total);
  std::vector<std::int64_t> scratch(out.width(), 0);
  for (std::int32_t number : numbers) {
    const Items& node = items(number);
    const bool few = few_items(node.size(), plan.columns.size(), out.width());
    (few ? add_few : add_many)(part_.table(), plan, view(node), part_.label_count(), scratch, out);
  }
  return out;
}

}  // namespace hardwood
