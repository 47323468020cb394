// The rows of a node whose values lie in opened buckets of a column, class by class.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "data/row_bits.hpp"
#include "data/row_kernels.hpp"
#include "search/node_view.hpp"

namespace hardwood {

class OpenedRows {
 public:
  // Of one class; their weights where they are carried along.
  struct Class {
    const std::uint32_t* rows;
    const std::int64_t* weights;
    std::size_t count;
  };

  // All rows of the node.
  template <class Cell>
  void take_all(const NodeView<Cell>& view) {
    classes_.clear();
    for (const ClassRows& part : view.node.classes)
      classes_.push_back(
          {view.rows + part.begin, view.weights ? view.weights + part.begin : nullptr, part.end - part.begin});
  }

  // Those in buckets that are open. `bits` are the node's rows; null: they are read by their numbers.
  template <class Cell>
  void pick(const NodeView<Cell>& view, const EncodedColumn& column,
            const std::array<std::uint8_t, lane_codes>& is_open, const RowBits* bits) {
    take_all(view);
    const std::size_t room = view.node.size() + 16 + classes_.size() * scan_room;
    if (picked_.size() < room) picked_.resize(room);
    std::uint32_t* out = picked_.data();
    const EncodedTable& table = *view.problem.table;
    const std::uint8_t* bucket_of = column.bucket_of.data();
    if (bits) {
      lists_.clear();
      for (std::size_t k = 0; k < classes_.size(); ++k) {
        lists_.push_back({bits->of(k), out});
        out += classes_[k].count + scan_room;
      }
      row_kernels().scan(bucket_of, table.rows, is_open.data(), lists_);
      for (std::size_t k = 0; k < classes_.size(); ++k)
        classes_[k] = {lists_[k].rows, nullptr, lists_[k].count};
      return;
    }
    for (Class& each : classes_) {
      each = {out, nullptr, pick_rows(table.stored, each.rows, each.count, bucket_of, is_open.data(), out)};
      out += each.count;
    }
  }

  std::span<const Class> classes() const { return classes_; }
  std::size_t count() const {
    std::size_t out = 0;
    for (const Class& each : classes_) out += each.count;
    return out;
  }

 private:
  std::vector<Class> classes_;
  std::vector<std::uint32_t> picked_;
  std::vector<RowList> lists_;
};

}  // namespace hardwood
