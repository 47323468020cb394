// What searching and dividing large nodes asks of a table besides its codes. All are made column by column
// (lane by lane), when they are first asked for.
#pragma once

#include "data/byte_lanes.hpp"
#include "data/code_order.hpp"
#include "data/slices.hpp"
#include "data/unusual_bytes.hpp"

namespace hardwood {

struct SearchAids {
  SliceCodes slices;
  CodeOrder order;
  ByteLanes bytes;
  UnusualBytes unusual;
};

}  // namespace hardwood
