// Class weights per lane code of a node's rows.
//
// Cells are stored channel by channel (a channel per class, one more for examples where they are counted
// apart), within a channel lane by lane:
//
//   cells[channel * total + offset[lane] + code]
//
// Lanes none of whose columns may be split on have no cells. Lanes that are listed by blocks
// (data/unusual_bytes.hpp) stand together. Only the channels of classes that the node has are
// filled. Sums are exact integers, so parts add up and
// a child is its parent less its sibling, to the bit.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/pool.hpp"
#include "data/problem.hpp"
#include "data/unusual_bytes.hpp"

namespace hardwood {

struct HistogramLayout {
  // `allowed` says per column whether it may be split on; null: all may. `use_lists`: unusual bytes are added
  // up by their lists. `use_flags`: columns that are flags have a cell each, and the lanes that hold nothing
  // else have none.
  HistogramLayout(const EncodedTable& table, int channel_count, const std::vector<char>* allowed = nullptr,
                  bool use_lists = false, bool use_flags = false);
  bool has(std::size_t lane) const { return offset[lane] != absent; }

  static constexpr std::size_t absent = ~std::size_t{0};
  std::vector<std::size_t> offset;  // per lane, or absent
  std::size_t lanes = 0;            // that have cells
  struct Block {
    std::uint32_t number;  // in data/unusual_bytes.hpp
    const ListedBlock* listed;
    std::size_t offset;  // of its cells
  };
  std::vector<Block> blocks;
  std::vector<std::size_t> tiles;  // of the other lanes
  std::size_t flags = 0;           // cells of flags
  std::size_t flag_offset = 0;
  double updates = 0;     // of cells, per row
  std::size_t total = 0;  // cells of one channel
  int channels = 0;

 private:
  template <class Needed>
  void lay_blocks(const EncodedTable& table, Needed needed);
};

// Cell is std::uint32_t where every row weighs 1, else std::int64_t.
template <class Cell>
class HistogramBuilder {
 public:
  using Buffer = std::unique_ptr<Cell[]>;

  explicit HistogramBuilder(const Problem& problem)
      : problem_(problem), layout_(*problem.table, problem.classes + (problem.examples ? 1 : 0)),
        buffer_size_(layout_.channels *
                     (layout_.total + (problem.table->flags.columns.size() + 15) / 16 * 16)) {}

  const HistogramLayout& layout() const { return layout_; }
  const Problem& problem() const { return problem_; }
  // The same table with its rows in another order.
  void set_problem(const Problem& problem) { problem_ = problem; }
  // The columns that the next tree may split on; null: all. Lists: see HistogramLayout; examples have no flags.
  void set_columns(const std::vector<char>* allowed, bool use_lists) {
    layout_ =
        HistogramLayout(*problem_.table, layout_.channels, allowed, use_lists, use_lists && !problem_.examples);
  }

  // The histogram of a node; large nodes are shared out over the pool.
  Buffer build(const NodeRows& node, const RowArrays& arrays, Pool& pool);

  // Takes the cells of one child from the parent's; what remains is the other child's.
  void subtract(const NodeRows& child, const Cell* child_cells, Cell* cells, Pool& pool) const;

  // A buffer of a whole histogram's size, its cells not set; to be released after use.
  Buffer borrow();

  // Returns a buffer for reuse.
  void release(Buffer buffer);

  // Channels that a node fills: its classes, then examples when counted.
  std::vector<int> channels(const NodeRows& node) const;

  // True when a child is cheaper to have by subtraction than to build.
  bool worth_keeping(const NodeRows& node) const;

 private:
  // Rows to be added, in some tiles; `weights` and `examples` stand in the places of the rows where they are
  // carried.
  struct Addends {
    const NodeRows& node;
    const std::vector<std::size_t>& tiles;
    const std::uint32_t* rows;
    const std::int64_t* weights;
    const std::int64_t* examples;
    std::vector<std::int64_t> total{};  // of each class present, then of examples; set where blocks are listed
  };

  Buffer acquire(const NodeRows& node);
  void build_pairs(const NodeRows& node, const RowArrays& arrays, Pool& pool, Buffer& out);
  void add_classes(const NodeRows& node, const std::uint32_t* rows, Cell* cells) const;
  void add_all(Addends addends, Pool& pool, Buffer& out);
  void add_rows(const Addends& addends, std::size_t part, std::size_t parts, Cell* cells) const;
  void add(const Addends& addends, const ClassRows& run, std::size_t tile, Cell* cells) const;
  void add_flags(const Addends& addends, const ClassRows& run, Cell* cells) const;
  void add_listed(const Addends& addends, const ClassRows& run, const HistogramLayout::Block& block,
                  Cell* cells) const;
  void add_usual(const Addends& addends, const HistogramLayout::Block& block, Cell* cells) const;
  std::vector<std::int64_t> totals(const Addends& addends) const;

  Problem problem_;
  HistogramLayout layout_;
  std::size_t buffer_size_;  // enough for all columns
  std::vector<Buffer> free_;
  std::mutex mutex_;
};

extern template class HistogramBuilder<std::uint32_t>;
extern template class HistogramBuilder<std::int64_t>;

}  // namespace hardwood
