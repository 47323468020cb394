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

void ThreadedStore::run(const Expansion& each) {
  try {
    if (!stopping_) expand_one(*each.leaf, each.more_to_come);
  } catch (const Stopped&) {
  } catch (...) {
    fail(std::current_exception());
  }
  std::lock_guard lock(mutex_);
  each.leaf->state.store(LeafState::expanded, std::memory_order_release);
  --expanding_;
  changed_.notify_all();
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
  while (leaf.state.load(std::memory_order_acquire) != LeafState::expanded) {
    try {
      given_poll_();
    } catch (...) {
      stopping_ = true;
      throw;
    }
    if (pool_.run_one()) continue;
    const auto expanded = [&] { return leaf.state.load(std::memory_order_acquire) == LeafState::expanded; };
    pool_.spin().until(expanded);
    if (expanded()) break;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(50),
                      [&] { return leaf.state.load() == LeafState::expanded; });
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
