#include "distributed/histogram_batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "distributed/packed_numbers.hpp"

namespace hardwood {

void HistogramBatch::add(std::span<const std::int64_t> cells) {
  Node node;
  const auto filled = static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](std::int64_t cell) { return cell != 0; }));
  node.dense = filled > width_ / 3;
  if (node.dense) {
    node.values.assign(cells.begin(), cells.end());
  } else {
    node.places.reserve(filled);
    node.values.reserve(filled);
    for (std::size_t k = 0; k < cells.size(); ++k)
      if (cells[k]) {
        node.places.push_back(static_cast<std::uint32_t>(k));
        node.values.push_back(cells[k]);
      }
  }
  nodes_.push_back(std::move(node));
}

void HistogramBatch::add(std::vector<std::uint32_t> places, std::vector<std::int64_t> values) {
  nodes_.push_back({std::move(places), std::move(values), false});
}

void HistogramBatch::make_dense(Node& node) const {
  if (node.dense) return;
  std::vector<std::int64_t> cells(width_, 0);
  for (std::size_t k = 0; k < node.places.size(); ++k) cells[node.places[k]] = node.values[k];
  node = {{}, std::move(cells), true};
}

void HistogramBatch::add_into(Node& one, const Node& other) const {
  if (other.dense) make_dense(one);
  if (one.dense) {
    for (std::size_t k = 0; k < other.values.size(); ++k)
      one.values[other.dense ? k : other.places[k]] += other.values[k];
    return;
  }
  Node out;
  std::size_t a = 0, b = 0;
  while (a < one.places.size() || b < other.places.size()) {
    const bool left = b == other.places.size() || (a < one.places.size() && one.places[a] <= other.places[b]);
    const bool right = a == one.places.size() || (b < other.places.size() && other.places[b] <= one.places[a]);
    out.places.push_back(left ? one.places[a] : other.places[b]);
    out.values.push_back((left ? one.values[a] : 0) + (right ? other.values[b] : 0));
    a += left ? 1 : 0;
    b += right ? 1 : 0;
  }
  one = std::move(out);
}

void HistogramBatch::merge(const HistogramBatch& other) {
  if (other.width_ != width_ || other.nodes_.size() != nodes_.size())
    throw std::invalid_argument("histograms of other nodes or columns");
  for (std::size_t i = 0; i < nodes_.size(); ++i) add_into(nodes_[i], other.nodes_[i]);
}

std::vector<std::int64_t> HistogramBatch::cells(std::size_t i) const {
  Node node = nodes_.at(i);
  make_dense(node);
  return std::move(node.values);
}

std::string HistogramBatch::pack() const {
  NumberWriter out;
  out.add(width_);
  out.add(nodes_.size());
  for (const Node& node : nodes_) {
    out.add(node.places.size());
    std::uint32_t before = 0;
    for (std::uint32_t place : node.places) out.add(place - std::exchange(before, place));
    out.add_list(std::span<const std::int64_t>(node.values));
  }
  return out.bytes();
}

HistogramBatch HistogramBatch::unpack(std::span<const char> bytes) {
  NumberReader in(bytes);
  HistogramBatch out(in.next());
  const std::uint64_t count = in.next();
  for (std::uint64_t i = 0; i < count; ++i) {
    Node node;
    node.places.resize(in.next_count());
    std::uint64_t at = 0;
    for (std::uint32_t& place : node.places) place = static_cast<std::uint32_t>(at += in.next());
    node.values = in.list<std::int64_t>();
    node.dense = node.places.empty() && node.values.size() == out.width_;
    bool good = node.dense || node.places.size() == node.values.size();
    for (std::size_t k = 0; k < node.places.size(); ++k)
      good &= node.places[k] < out.width_ && (k == 0 || node.places[k - 1] < node.places[k]);
    if (!good) throw std::invalid_argument("a packed histogram that is damaged");
    out.nodes_.push_back(std::move(node));
  }
  return out;
}

}  // namespace hardwood
