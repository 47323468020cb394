// Column views -> EncodedTable.
#pragma once

#include <span>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "data/encoded_table.hpp"
#include "data/infinite_value.hpp"
#include "data/input.hpp"

namespace hardwood {

EncodedTable encode(std::span<const ColumnInput> inputs, std::size_t rows, Pool& pool, const Poll& poll);

}  // namespace hardwood
