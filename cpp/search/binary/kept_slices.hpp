// Class weights by slices that stay with a large node while a tree grows (docs/theory/rules.md#buckets).
//
// Late rounds of boosting open most buckets of many columns at every large node. What was summed for a node,
// less what the rows of the smaller branches weigh, is what its largest branch weighs, as with histograms:
//
//   node      sums of column c         ->  largest branch   sums - those of the other branches' rows
//             (none of column d)       ->  other branches   none: summed from their rows when asked for
//
// Only columns that are asked for are summed or corrected; what the branch has not asked for is given back.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "data/search_aids.hpp"
#include "search/node_view.hpp"

namespace hardwood {

// Memory for sums that is used again.
template <class Cell>
class SliceShelf {
 public:
  using Buffer = std::unique_ptr<Cell[]>;

  explicit SliceShelf(const Problem& problem);
  // Whether a node has so many rows that its sums are worth keeping.
  bool keeps(std::size_t rows) const { return rows >= least_rows_; }
  Buffer borrow(std::size_t cells);  // so many of its cells are 0
  void give_back(Buffer buffer);

 private:
  std::size_t least_rows_, cells_;
  std::mutex mutex_;
  std::vector<Buffer> free_;
};

// The sums of one node. Cells are those of label * width + slice; the examples follow the classes.
template <class Cell>
class KeptSlices {
 public:
  static constexpr std::size_t at_once = 4;  // columns that are summed in one go through the rows

  // A branch of a node.
  struct Branch {
    const NodeRows* node;
    const std::uint32_t* rows;
    const std::int64_t* weights;  // in the places of the rows; null: not carried
    const KeptSlices* kept;
  };
  // A column and the part of the node's weight that lies in buckets to be opened.
  struct Asked {
    std::uint32_t column;
    double opened_part;
  };

  // Before the node is searched.
  void begin(SliceShelf<Cell>& shelf, const EncodedTable& table);
  bool begun() const { return shelf_ != nullptr; }
  // The sums of the node that it is the largest branch of, and the other branches.
  void inherit(KeptSlices& above, std::vector<Branch> others);
  // Sums at most `at_once` columns where it pays. Several threads may ask, each for columns of its own.
  void prepare(const NodeView<Cell>& view, std::span<const Asked> columns);
  // The column's sums at the node; null: they were not worth it.
  const Cell* of(std::uint32_t column) const { return sums_[column].get(); }
  // After the search: what was not asked for is given back.
  void end();
  // All is given back.
  void clear();

 private:
  using Buffers = std::vector<typename SliceShelf<Cell>::Buffer>;
  void add(const Problem& problem, const Branch& branch, int sign, std::span<const std::uint32_t> columns);
  void take_away(const Problem& problem, const Branch& branch, std::span<const std::uint32_t> columns);

  SliceShelf<Cell>* shelf_ = nullptr;
  Buffers sums_, above_;  // per column, or null
  std::vector<Branch> others_;
  std::size_t other_rows_ = 0;
};

extern template class SliceShelf<std::uint32_t>;
extern template class SliceShelf<std::int64_t>;
extern template class KeptSlices<std::uint32_t>;
extern template class KeptSlices<std::int64_t>;

}  // namespace hardwood
