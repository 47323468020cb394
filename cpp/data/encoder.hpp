// Column views -> EncodedTable.
#pragma once

#include <span>
#include <stdexcept>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/encoded_table.hpp"
#include "data/input.hpp"

namespace hardwood {

// An infinite value was found in this column.
struct InfiniteValue : std::exception {
  explicit InfiniteValue(std::size_t column) : column(column) {}
  const char* what() const noexcept override { return "infinite value"; }
  std::size_t column;
};

EncodedTable encode(std::span<const ColumnInput> inputs, std::size_t rows, Pool& pool,
                    const Poll& poll);

}  // namespace hardwood
