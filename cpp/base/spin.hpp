// Waiting for another thread that will be ready in a moment, before sleeping until it is.
//
// To wake a sleeping thread takes 5 to 50 microseconds, as long as a small node's search. A fit of a small
// table goes from one thread to the other every few of them, so threads that have a core each wait for a while
// (two threads: satimage .38 s with 30 microseconds, .32 with 300).
#pragma once

#include <thread>

#include "base/portable.hpp"

namespace hardwood {

class Spin {
 public:
  // Threads that share cores would only keep each other from working.
  explicit Spin(std::size_t threads) : most_(threads <= std::thread::hardware_concurrency() ? 10000 : 1000) {}

  // Asks for up to about 300 (30) microseconds whether it is done.
  template <class Done>
  void until(Done done) const {
    for (int i = 0; i < most_ && !done(); ++i) pause_briefly();
  }

 private:
  int most_;
};

}  // namespace hardwood
