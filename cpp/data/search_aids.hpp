// What the search of large nodes asks of a table besides its codes. Both are made column by column, when they
// are first asked for.
#pragma once

#include "data/code_order.hpp"
#include "data/slices.hpp"

namespace hardwood {

struct SearchAids {
  SliceCodes slices;
  CodeOrder order;
};

}  // namespace hardwood
