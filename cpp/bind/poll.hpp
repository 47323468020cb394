// Ctrl-C during long work: the calling thread asks Python for pending signals a few times a second.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <memory>
#include <thread>

#include "base/poll.hpp"

namespace hardwood {

inline Poll python_poll() {
  using Clock = std::chrono::steady_clock;
  auto next = std::make_shared<Clock::time_point>(Clock::now() + std::chrono::milliseconds(100));
  return [next, caller = std::this_thread::get_id()] {
    if (std::this_thread::get_id() != caller || Clock::now() < *next) return;
    nanobind::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    *next = Clock::now() + std::chrono::milliseconds(100);
  };
}

}  // namespace hardwood
