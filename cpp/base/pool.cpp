#include "base/pool.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace hardwood {

// Where the system gives no more threads, those there are do the work.
Pool::Pool(int threads) {
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Pool::submit(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  wake_.notify_one();
}

bool Pool::run_one() {
  std::function<void()> task;
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    task = std::move(queue_.front());
    queue_.pop_front();
  }
  task();
  return true;
}

void Pool::work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

namespace {

// What the participants of one parallel_for share; a helper that starts late finds no task left.
struct Loop {
  std::function<void(std::size_t)> body;
  std::size_t tasks = 0;
  std::atomic<std::size_t> next{0};
  std::size_t finished = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable done;

  void run() {
    for (std::size_t i = next++; i < tasks; i = next++) {
      std::exception_ptr caught;
      try {
        body(i);
      } catch (...) {
        caught = std::current_exception();
      }
      std::lock_guard lock(mutex);
      if (caught && !failure) failure = caught;
      if (++finished == tasks) done.notify_all();
    }
  }
};

}  // namespace

void Pool::parallel_for(std::size_t tasks, const std::function<void(std::size_t)>& body) {
  if (workers_.empty() || tasks < 2) {
    for (std::size_t i = 0; i < tasks; ++i) body(i);
    return;
  }
  auto loop = std::make_shared<Loop>();
  loop->body = body;
  loop->tasks = tasks;
  const std::size_t helpers = std::min(workers_.size(), tasks - 1);
  {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < helpers; ++i) queue_.push_front([loop] { loop->run(); });
  }
  wake_.notify_all();
  loop->run();
  std::unique_lock lock(loop->mutex);
  loop->done.wait(lock, [&] { return loop->finished == tasks; });
  if (loop->failure) std::rethrow_exception(loop->failure);
}

}  // namespace hardwood
