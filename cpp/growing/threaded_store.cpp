#include "growing/threaded_store.hpp"

#include <chrono>

namespace hardwood {

void ThreadedStore::ask() {
  if (stopping_) throw Stopped();
  given_poll_();
}

void ThreadedStore::fail(std::exception_ptr reason) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(reason);
  stopping_ = true;
}

// Whether the leaf was divided: one that was open may turn out not to be worth it.
bool ThreadedStore::decide_and_expand(const Expansion& each) {
  if (each.open) decide(*each.leaf, each.least_drop);
  if (each.open && (!each.leaf->split.found() || each.leaf->priority < each.worth)) return false;
  expand_one(*each.leaf, each.more_to_come, each.least_drop);
  return true;
}

void ThreadedStore::run(const Expansion& each) {
  LeafState state = LeafState::expanded;
  try {
    if (!stopping_ && !decide_and_expand(each)) state = LeafState::idle;
  } catch (const Stopped&) {
  } catch (...) {
    fail(std::current_exception());
  }
  Pool& pool = pool_;  // the store may be gone once the lock is
  {
    std::lock_guard lock(mutex_);
    each.leaf->state.store(state, std::memory_order_release);
    --expanding_;
    changed_.notify_all();
  }
  pool.wake();
}

// The first leaf is expanded at once: whoever asks for it would only wait for another thread to do it.
void ThreadedStore::expand(std::span<const Expansion> leaves) {
  if (leaves.empty()) return;
  {
    std::lock_guard lock(mutex_);
    expanding_ += static_cast<int>(leaves.size());
  }
  std::size_t submitted = 1;
  try {
    for (; submitted < leaves.size(); ++submitted)
      pool_.submit([this, each = leaves[submitted]] { run(each); });
  } catch (...) {
    std::lock_guard lock(mutex_);
    expanding_ -= static_cast<int>(leaves.size() - submitted) + 1;
    throw;
  }
  run(leaves[0]);
}

void ThreadedStore::wait(Leaf& leaf) {
  const auto done = [&] { return leaf.state.load(std::memory_order_acquire) != LeafState::expanding; };
  while (!done()) {
    try {
      given_poll_();
    } catch (...) {
      stopping_ = true;
      throw;
    }
    // The thread that expands the leaf may ask for help with it.
    if (!pool_.run_one()) pool_.rest_until(done);
  }
  std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadedStore::stop() {
  stopping_ = true;
  for (;;) {
    if (pool_.run_one()) continue;
    std::unique_lock lock(mutex_);
    if (expanding_ == 0) return;
    changed_.wait_for(lock, std::chrono::milliseconds(1));
  }
}

}  // namespace hardwood
