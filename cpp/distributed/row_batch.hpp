// Rows of small nodes on their way from the parts to the coordinator, which grows what is below them itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "distributed/node_items.hpp"
#include "distributed/part_table.hpp"

namespace hardwood {

struct RowBatch {
  std::vector<std::uint64_t> node;               // of each row: the position of its node among those asked for
  std::vector<std::uint64_t> label;              // of each row: its class
  std::vector<std::uint64_t> weights, examples;  // of each row; empty: 1 each, not counted
  std::vector<std::vector<std::uint64_t>> values;  // by column: a row's code or key; constant columns have none
  std::vector<std::vector<std::uint64_t>> missing;  // by column: the rows that miss it, ascending

  std::size_t rows() const { return node.size(); }
  // A node's rows, after those of the nodes before it.
  void add(const PartTable& table, const TablePlan& plan, std::size_t position, const NodeItems& items);
  // The rows of other parts; their order is of no account.
  void merge(const RowBatch& other);
  std::string pack() const;
  static RowBatch unpack(std::span<const char> bytes);
};

}  // namespace hardwood
