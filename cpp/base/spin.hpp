// Waiting for another thread that will be ready in a moment, before sleeping until it is.
//
// To wake a sleeping thread takes 5 to 50 microseconds, as long as a small node's search.
#pragma once

#include "base/portable.hpp"

namespace hardwood {

// Asks for up to about 30 microseconds whether it is done.
template <class Done>
void spin_until(Done done) {
  constexpr int most = 1000;
  for (int i = 0; i < most && !done(); ++i) pause_briefly();
}

}  // namespace hardwood
