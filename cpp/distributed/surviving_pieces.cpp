#include "distributed/surviving_pieces.hpp"

#include <algorithm>
#include <stdexcept>

#include "distributed/packed_numbers.hpp"

namespace hardwood {

std::string PieceOrder::pack() const {
  NumberWriter out;
  std::vector<std::int32_t> nodes;
  for (const Trial& trial : begun) nodes.insert(nodes.end(), {trial.node, trial.heaviest});
  out.add_list(std::span<const std::int32_t>(nodes));
  out.add(divided.size());
  for (const KnownAt& at : divided) {
    out.add(static_cast<std::uint64_t>(at.node));
    out.add_list(std::span<const std::int64_t>(at.known));
  }
  return out.bytes();
}

PieceOrder PieceOrder::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  PieceOrder out;
  const auto nodes = in.list<std::int32_t>();
  if (nodes.size() % 2) throw std::invalid_argument("a packed order that is damaged");
  for (std::size_t i = 0; i < nodes.size(); i += 2) out.begun.push_back({nodes[i], nodes[i + 1], 0});
  const std::uint64_t count = in.next();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto node = static_cast<std::int32_t>(in.next());
    out.divided.push_back({node, in.list<std::int64_t>()});
  }
  return out;
}

SurvivingPieces::SurvivingPieces(const Part& part, const FractionalPart& pieces, const GrownTree& tree,
                                 const std::vector<std::int32_t>& leaves,
                                 const std::vector<std::int32_t>& nodes,
                                 const std::vector<std::int32_t>& surviving)
    : part_(part), surviving_(tree.view, tree.missing_seen),
      turns_(part.table(), part.plan(), tree.view, tree.cuts, surviving_.unseen_routes()),
      at_leaf_(tree.view.nodes) {
  for (std::int32_t node : leaves) surviving_.make_leaf(node);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Items& items = pieces.items(nodes[k]);
    for (std::uint32_t i = 0; i < items.size(); ++i)
      at_leaf_.at(surviving[k]).push_back({items.row[i], items.weight[i]});
  }
  for (auto& own : at_leaf_) merge(own);
}

void SurvivingPieces::check(std::int32_t node) const {
  if (node < 0 || static_cast<std::size_t>(node) >= surviving_.nodes() || surviving_.split(node) < 0)
    throw std::invalid_argument("a node that this part does not have");
}

std::vector<RowPiece> SurvivingPieces::pieces_at(const std::vector<std::int32_t>& nodes) const {
  std::vector<RowPiece> out;
  for (std::int32_t node : nodes) out.insert(out.end(), at_leaf_[node].begin(), at_leaf_[node].end());
  merge(out);
  return out;
}

void SurvivingPieces::follow(const Change& change) {
  check(change.node);
  const std::vector<std::int32_t> below = surviving_.from(change.node);
  if (change.raised < 0) {
    std::vector<RowPiece> pieces = pieces_at(below);
    for (std::int32_t node : below) at_leaf_[node] = {};
    at_leaf_[change.node] = std::move(pieces);
    surviving_.make_leaf(change.node);
    return;
  }
  check(change.raised);
  for (std::int32_t node : below) at_leaf_[node] = {};
  for (std::int32_t node : surviving_.from(change.raised))
    if (surviving_.is_leaf(node)) at_leaf_[node] = std::move(moving_[node]);
  surviving_.raise(change.node, change.raised, change.met);
  for (const auto& [split, branch] : change.defaults) surviving_.set_default_of_pieces(split, branch);
}

// Nodes come in ascending order.
void SurvivingPieces::add_sums(std::int32_t node, const std::vector<RowPiece>& pieces, Arrivals& out) const {
  if (pieces.empty()) return;
  out.sums.keys.push_back(static_cast<std::uint64_t>(node));
  const std::size_t first = out.sums.weights.size();
  out.sums.weights.resize(first + out.channels, 0);
  for (const RowPiece& piece : pieces) out.sums.weights[first + part_.label_of(piece.row)] += piece.weight;
  out.sums.weights.back() = static_cast<std::int64_t>(pieces.size());
  if (surviving_.is_leaf(node)) return;
  const std::int32_t split = surviving_.split(node);
  const KnownPieces found = known_pieces(turns_, split, surviving_.arity(node), pieces);
  for (std::size_t j = 0; j < found.weight.size(); ++j) {
    if (!found.weight[j]) continue;
    out.known.keys.push_back(static_cast<std::uint64_t>(node) << 32 | j);
    out.known.weights.push_back(found.weight[j]);
  }
  if (found.missing_seen) out.missing.push_back(static_cast<std::uint64_t>(split));
  for (std::int32_t code : found.unseen)
    out.unseen.push_back(static_cast<std::uint64_t>(split) << 32 | static_cast<std::uint32_t>(code));
}

Arrivals SurvivingPieces::divide(const PieceOrder& order) {
  std::vector<std::int32_t> reached;
  if (!order.begun.empty()) moving_.clear();
  for (const Trial& trial : order.begun) {
    check(trial.node);
    check(trial.heaviest);
    moving_[trial.heaviest] = pieces_at(surviving_.from(trial.node));
    reached.push_back(trial.heaviest);
  }
  for (const KnownAt& at : order.divided) {
    check(at.node);
    if (at.known.size() != static_cast<std::size_t>(surviving_.arity(at.node)))
      throw std::invalid_argument("every branch needs a known weight");
    auto branches = hardwood::divide(turns_, surviving_.split(at.node), at.known, moving_[at.node]);
    moving_.erase(at.node);
    for (std::size_t j = 0; j < branches.size(); ++j) {
      reached.push_back(surviving_.first_child(at.node) + static_cast<std::int32_t>(j));
      moving_[reached.back()] = std::move(branches[j]);
    }
  }
  std::sort(reached.begin(), reached.end());
  Arrivals out;
  out.channels = static_cast<std::size_t>(part_.label_count()) + 1;
  for (std::int32_t node : reached) add_sums(node, moving_[node], out);
  for (auto* list : {&out.missing, &out.unseen}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return out;
}

}  // namespace hardwood
