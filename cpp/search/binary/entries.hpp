// Columns stored as entries: the sums of the other codes are found from the node's entries, and the
// implicit code has what remains of the node.
#pragma once

#include <functional>
#include <vector>

#include "search/groups.hpp"
#include "search/node_view.hpp"

namespace hardwood {

template <class Cell>
class EntrySearch {
 public:
  // Calls visit(column, groups) for every such column that has entries in the node.
  void run(const NodeView<Cell>& view, const std::function<void(std::uint32_t, const Groups&)>& visit);

 private:
  struct Entry {
    std::uint32_t cell, channel;
    Cell weight, examples;
  };
  // The codes with entries in one column and their sums per channel.
  struct Sums {
    std::vector<std::uint32_t> code;
    std::vector<double> weight;  // code by code, channel by channel
  };

  void by_table(const NodeView<Cell>& view, const std::function<void(std::uint32_t, const Groups&)>&);
  void by_sorting(const NodeView<Cell>& view, std::size_t count,
                  const std::function<void(std::uint32_t, const Groups&)>&);
  void make_groups(const NodeView<Cell>& view, const EncodedColumn& column);

  std::vector<Cell> table_;
  std::vector<Entry> entries_;
  Sums sums_;
  std::vector<double> rest_;
  Groups groups_;
};

extern template class EntrySearch<std::uint32_t>;
extern template class EntrySearch<std::int64_t>;

}  // namespace hardwood
