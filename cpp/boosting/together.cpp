#include "boosting/together.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

namespace hardwood {

std::vector<Round> run_rounds(Booster& booster, const WantedRounds& wanted, Pool& pool, const Poll& poll) {
  std::vector<Round> done;
  std::vector<char> flags;
  for (int r = 0; r < wanted.count; ++r) {
    poll();
    if (wanted.allowed) {
      const std::uint8_t* row = wanted.allowed + static_cast<std::size_t>(r) * wanted.columns;
      flags.assign(row, row + wanted.columns);
    }
    done.push_back(booster.run(wanted.allowed ? &flags : nullptr, r + 1 < wanted.count, pool, poll));
    done.back().growth.splits = {};
    if (done.back().stop != Stop::not_yet) break;
  }
  return done;
}

namespace {

// Boosters as tasks of a pool. The calling thread takes part, and asks the poll while it waits for the others.
class Together {
 public:
  Together(std::span<Booster* const> boosters, const WantedRounds& wanted, int threads, const Poll& poll)
      : boosters_(boosters), wanted_(wanted), poll_(poll), done_(boosters.size()) {
    const int at_once = std::min(threads, static_cast<int>(boosters.size()));
    Pool pool(at_once);
    threads_each_ = std::max(1, threads / std::max(1, at_once));
    for (std::size_t i = 0; i < boosters_.size(); ++i) {
      ++left_;
      pool.submit([this, i] { run(i); });
    }
    while (left_ > 0) {
      if (!pool.run_one()) wait();
    }
    if (failure_) std::rethrow_exception(failure_);
  }
  std::vector<std::vector<Round>> take() { return std::move(done_); }

 private:
  struct Stopped {};  // another thread knows why

  void run(std::size_t i) {
    try {
      const Poll ask = [this] {
        if (stopping_) throw Stopped();
        poll_();
      };
      if (!stopping_) {
        Pool own(threads_each_);
        done_[i] = run_rounds(*boosters_[i], wanted_, own, ask);
      }
    } catch (const Stopped&) {
    } catch (...) {
      fail(std::current_exception());
    }
    std::lock_guard lock(mutex_);
    --left_;
    changed_.notify_all();
  }

  void fail(std::exception_ptr reason) {
    std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(reason);
    stopping_ = true;
  }

  void wait() {
    try {
      if (!stopping_) poll_();
    } catch (...) {
      fail(std::current_exception());
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(20), [this] { return left_ == 0; });
  }

  std::span<Booster* const> boosters_;
  const WantedRounds& wanted_;
  const Poll& poll_;
  int threads_each_ = 1;
  std::vector<std::vector<Round>> done_;
  std::atomic<std::size_t> left_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<std::vector<Round>> run_together(std::span<Booster* const> boosters, const WantedRounds& wanted,
                                             int threads, const Poll& poll) {
  return Together(boosters, wanted, threads, poll).take();
}

}  // namespace hardwood
