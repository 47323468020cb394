// A table of (example, class) pairs. Nothing is repeated: the codes stay those of the examples, and the class
// is computed from the number of the pair.
//
//   pair p      example p / classes with class p % classes
//   column K    the class, numeric, the last column; its lane is the first of a tile that has a word per class
#pragma once

#include "data/encoded_table.hpp"

namespace hardwood {

// From then on the rows of the table are pairs. At most `lane_codes` classes; a table that has them is left
// alone.
void make_pairs(EncodedTable& table, int classes);

}  // namespace hardwood
