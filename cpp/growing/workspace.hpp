// What growing a tree uses and the next tree can use again: histogram buffers and search objects.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "histogram/histogram.hpp"
#include "search/binary/bucket_order.hpp"
#include "search/binary/kept_slices.hpp"
#include "search/binary/node_search.hpp"
#include "search/binary/pruned_search.hpp"
#include "search/multiway/multiway_search.hpp"
#include "search/published/column_race.hpp"

namespace hardwood {

// Objects that are dear to make, lent to one user at a time.
template <class T>
class Lender {
 public:
  std::unique_ptr<T> take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<T>();
    auto out = std::move(free_.back());
    free_.pop_back();
    return out;
  }
  void give_back(std::unique_ptr<T> object) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(object));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

template <class Cell>
struct Workspace {
  explicit Workspace(const Problem& problem) : builder(problem), shelf(problem) {}

  HistogramBuilder<Cell> builder;
  SliceShelf<Cell> shelf;
  // As long as the rows being divided (data/problem.hpp: RowArrays).
  std::vector<std::uint32_t> moved_rows;
  std::vector<std::uint8_t> branch;
  std::vector<std::int64_t> weights, moved_weights;

  // Weights are not carried.
  RowArrays arrays(std::vector<std::uint32_t>& rows) {
    if (moved_rows.size() < rows.size()) {
      moved_rows.resize(rows.size());
      branch.resize(rows.size());
    }
    return {rows.data(), moved_rows.data(), nullptr, nullptr, branch.data()};
  }

  // From now on they are: `by_row` are the weights of the rows.
  void carry_weights(const std::int64_t* by_row, const std::vector<std::uint32_t>& rows, RowArrays& arrays,
                     Pool& pool) {
    if (weights.size() < rows.size()) {
      weights.resize(rows.size());
      moved_weights.resize(rows.size());
    }
    arrays.weights = weights.data();
    arrays.moved_weights = moved_weights.data();
    pool.in_ranges(rows.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) arrays.weights[i] = by_row[rows[i]];
    });
  }

  BucketOrder* order = nullptr;  // where trees of the same rows follow each other

  Lender<NodeSearch<Cell>> searches;
  Lender<BucketNotes> notes;
  Lender<MultiwaySearch> multiway_searches;
  Lender<PrunedSearch> pruned_searches;
  Lender<ColumnRace> races;
};

}  // namespace hardwood
