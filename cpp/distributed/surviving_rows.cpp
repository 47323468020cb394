#include "distributed/surviving_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace hardwood {

namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

KeySums by_leaf(const std::vector<std::int32_t>& leaves, const std::vector<std::int64_t>& sums,
                std::size_t channels) {
  std::vector<std::size_t> order(leaves.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return leaves[a] < leaves[b]; });
  KeySums out;
  for (std::size_t i : order) {
    out.keys.push_back(static_cast<std::uint64_t>(leaves[i]));
    for (std::size_t k = 0; k < channels; ++k) out.weights.push_back(sums[i * channels + k]);
  }
  return out;
}

}  // namespace

SurvivingRows::SurvivingRows(const Part& part, const GrownTree& tree, const std::vector<std::int32_t>& leaves,
                             const std::vector<std::int32_t>& nodes, const std::vector<std::int32_t>& surviving)
    : part_(part), surviving_(tree.view, tree.missing_seen),
      turns_(part.table(), part.plan(), tree.view, tree.cuts, surviving_.unseen_routes()),
      rows_(tree.view.nodes), slot_(tree.view.nodes, -1) {
  for (std::int32_t node : leaves) surviving_.make_leaf(node);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const NodeRows& node = part.node(nodes[k]);
    for (std::uint32_t i = node.begin; i < node.end; ++i) rows_.add(surviving[k], part.row_list()[i]);
  }
}

void SurvivingRows::check(std::int32_t node, std::int32_t branch) const {
  const auto inner = [&](std::int32_t at) {
    return at >= 0 && static_cast<std::size_t>(at) < surviving_.nodes() && surviving_.split(at) >= 0;
  };
  if (!inner(node) || (branch >= 0 && (!inner(branch) || surviving_.parent(branch) != node)))
    throw std::invalid_argument("a node that this part does not have");
}

void SurvivingRows::follow(const Change& change) {
  check(change.node, change.raised);
  if (change.raised < 0) {
    rows_.gather(change.node, surviving_.make_leaf(change.node));
    return;
  }
  const std::vector<std::int32_t> lighter = surviving_.lighter_leaves(change.node, change.raised);
  const std::vector<std::uint32_t> moved = rows_.at(lighter, all);
  rows_.drop(lighter);
  Met met;  // of this part alone; the change says what all parts met
  send_down(surviving_, turns_, change.raised, moved, met,
            [&](std::uint32_t row, std::int32_t leaf) { rows_.add(leaf, row); });
  surviving_.raise(change.node, change.raised, change.met);
  for (const auto& [split, branch] : change.defaults) surviving_.set_default(split, branch);
}

void SurvivingRows::add_up(std::int32_t from, const std::vector<std::uint32_t>& sent,
                           std::vector<std::int32_t>& leaves, std::vector<std::int64_t>& sums, Met& met) {
  const std::size_t channels = this->channels();
  send_down(surviving_, turns_, from, sent, met, [&](std::uint32_t row, std::int32_t leaf) {
    if (slot_[leaf] < 0) {
      slot_[leaf] = static_cast<std::int32_t>(leaves.size());
      leaves.push_back(leaf);
      sums.resize(sums.size() + channels, 0);
    }
    std::int64_t* own = sums.data() + static_cast<std::size_t>(slot_[leaf]) * channels;
    own[part_.label_of(row)] += part_.weight(row);
    ++own[channels - 1];
  });
}

Arrivals SurvivingRows::send(const std::vector<Trial>& trials) {
  Arrivals out;
  out.channels = channels();
  Met met;
  std::vector<std::int32_t> leaves;
  std::vector<std::int64_t> sums;
  for (const Trial& trial : trials) {
    check(trial.node, trial.heaviest);
    const std::vector<std::int32_t> lighter = surviving_.lighter_leaves(trial.node, trial.heaviest);
    const auto most = static_cast<std::size_t>(trial.rows);
    add_up(trial.heaviest, rows_.at(lighter, most), leaves, sums, met);
    if (rows_.count(lighter) > most) out.unfinished.push_back(static_cast<std::uint64_t>(trial.node));
  }
  for (std::int32_t leaf : leaves) slot_[leaf] = -1;
  out.sums = by_leaf(leaves, sums, out.channels);
  out.missing.assign(met.missing.begin(), met.missing.end());
  for (const auto& [split, code] : met.unseen)
    out.unseen.push_back(static_cast<std::uint64_t>(split) << 32 | static_cast<std::uint32_t>(code));
  std::sort(out.unfinished.begin(), out.unfinished.end());
  return out;
}

}  // namespace hardwood
