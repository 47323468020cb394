// A row store whose leaves are expanded by the threads of a pool, one leaf per task.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>

#include "base/poll.hpp"
#include "base/pool.hpp"
#include "growing/row_store.hpp"

namespace hardwood {

class ThreadedStore : public RowStore {
 public:
  ThreadedStore(Pool& pool, const Poll& poll) : pool_(pool), given_poll_(poll) {
    poll_ = [this] { ask(); };
  }

  void expand(std::span<const Expansion> leaves) override;
  void wait(Leaf& leaf) override;
  void stop() override;
  Lookahead lookahead(std::int64_t, bool) const override {
    const int threads = pool_.size();  // two leaves a thread keep all of them busy
    return {threads == 1 ? 1 : 2 * threads, std::numeric_limits<std::int64_t>::max(),
            std::numeric_limits<double>::infinity(), least_rows_ahead_};
  }

 protected:
  // Finds the best split of a leaf that was left open.
  virtual void decide(Leaf& /*leaf*/, double /*least_drop*/) {}
  // Divides a leaf's rows and, where there is more to come, finds the best splits of its children, as far as
  // they may drop `least_drop`.
  virtual void expand_one(Leaf& leaf, bool more_to_come, double least_drop) = 0;
  Pool& pool_;
  Poll poll_;  // may be asked from any thread; throws once the fit is to stop
  std::int64_t least_rows_ahead_ = 0;

 private:
  struct Stopped {};  // another thread knows why
  void run(const Expansion& each);
  bool decide_and_expand(const Expansion& each);
  void ask();
  void fail(std::exception_ptr reason);

  const Poll& given_poll_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int expanding_ = 0;
  std::atomic<bool> stopping_{false};
  std::exception_ptr failure_;
};

}  // namespace hardwood
