// A small thread pool that lives as long as one call into the library.
//
// Owns: the worker threads and a queue of tasks. A pool of size 1 has no worker: everything runs in
// the calling thread. Nothing survives the call, so the process may fork afterwards.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/spin.hpp"

namespace hardwood {

class Pool {
 public:
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // How its threads wait for each other.
  const Spin& spin() const { return spin_; }

  // Queues a task; it must not throw.
  void submit(std::function<void()> task);

  // Runs one queued task in the calling thread; false when the queue is empty.
  bool run_one();

  // Waits until done() or a task is queued, or for some time; whoever makes done() true calls wake.
  void rest_until(const std::function<bool()>& done);
  void wake();

  // Calls body(begin, end) for ranges that make up [0, count): one, or one per thread where there is enough to
  // do.
  template <class Body>
  void in_ranges(std::size_t count, Body body) {
    constexpr std::size_t least = 1 << 13;
    const std::size_t ranges = count < least ? 1 : static_cast<std::size_t>(size());
    parallel_for(ranges, [&](std::size_t i) { body(count * i / ranges, count * (i + 1) / ranges); });
  }

  // Calls body(0) .. body(tasks - 1), the caller taking part; rethrows the first exception.
  void parallel_for(std::size_t tasks, const std::function<void(std::size_t)>& body);

 private:
  void work();
  std::function<void()> take();  // the queue's first task, under the lock

  const Spin spin_;
  std::vector<std::thread> workers_;
  std::deque<std::function<void()>> queue_;
  std::atomic<std::size_t> queued_{0};  // length of the queue, for those who look without the lock
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable started_;
  std::size_t started_threads_ = 0;
  bool closing_ = false;
};

}  // namespace hardwood
