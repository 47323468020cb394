// The same encoded table with its rows in another order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pool.hpp"
#include "data/encoded_table.hpp"

namespace hardwood {

// Row i of the result is row order[i] of `table`. Only what is stored per row is copied anew into `out`,
// whose columns must be a copy of the table's.
void reorder_rows(const EncodedTable& table, const std::vector<std::uint32_t>& order, EncodedTable& out,
                  Pool& pool);

}  // namespace hardwood
