// The table of (example, class) pairs of an encoded table: pair p is example p / classes with class p % classes,
// the class being one more numeric column, the last.
#pragma once

#include "base/pool.hpp"
#include "data/encoded_table.hpp"

namespace hardwood {

// At most `lane_codes` classes.
EncodedTable pair_table(const EncodedTable& table, int classes, Pool& pool);

}  // namespace hardwood
