// What growing a tree uses and the next tree can use again: histogram buffers and search objects.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "histogram/histogram.hpp"
#include "search/node_search.hpp"

namespace hardwood {

template <class Cell>
class Workspace {
 public:
  explicit Workspace(const Problem& problem) : builder(problem) {}

  HistogramBuilder<Cell> builder;
  std::vector<std::uint32_t> scratch;  // as long as the rows being divided

  // A search object that nobody else uses until it is given back.
  std::unique_ptr<NodeSearch<Cell>> take_search() {
    std::lock_guard lock(mutex_);
    if (searches_.empty()) return std::make_unique<NodeSearch<Cell>>();
    auto out = std::move(searches_.back());
    searches_.pop_back();
    return out;
  }
  void give_back(std::unique_ptr<NodeSearch<Cell>> search) {
    std::lock_guard lock(mutex_);
    searches_.push_back(std::move(search));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<NodeSearch<Cell>>> searches_;
};

}  // namespace hardwood
