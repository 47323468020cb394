// Histograms of several nodes over the same cells. One of a node of few rows stands as its filled cells.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hardwood {

class HistogramBatch {
 public:
  explicit HistogramBatch(std::size_t width) : width_(width) {}

  std::size_t size() const { return nodes_.size(); }
  std::size_t width() const { return width_; }

  void add(std::span<const std::int64_t> cells);
  // Filled cells, in ascending order.
  void add(std::vector<std::uint32_t> places, std::vector<std::int64_t> values);
  // Cell by cell; both have the same nodes.
  void merge(const HistogramBatch& other);
  std::vector<std::int64_t> cells(std::size_t i) const;

  std::string pack() const;
  static HistogramBatch unpack(std::span<const char> bytes);

 private:
  // All cells, or the filled ones at their places.
  struct Node {
    std::vector<std::uint32_t> places;
    std::vector<std::int64_t> values;
    bool dense = false;
  };

  void make_dense(Node& node) const;
  void add_into(Node& one, const Node& other) const;

  std::size_t width_;
  std::vector<Node> nodes_;
};

}  // namespace hardwood
