#include "base/pool.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#ifdef __unix__
#include <sys/mman.h>
#endif

namespace hardwood {

namespace {

// The C library ends the process when it cannot allocate a thread's own variables, which it does when they are
// first touched: those of this library and of the C++ runtime's exceptions are touched while there is memory.
void touch_own_variables() {
  thread_local volatile int touched = 0;
  touched = touched + std::uncaught_exceptions();
}

// Whether the address space can still grow by so much; nothing is written, so no page is used.
bool room_for(std::size_t bytes) {
#ifdef __unix__
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
#endif
  return true;
}

constexpr std::size_t PLENTY = std::size_t{1} << 30;
constexpr std::size_t SPARE = std::size_t{1} << 26;

}  // namespace

// Where the system gives no more threads, those there are do the work. Where memory is short, threads are
// started one at a time, and none that would leave the work itself too little.
Pool::Pool(int threads) : spin_(static_cast<std::size_t>(threads)) {
  touch_own_variables();
  try {
    const bool plenty = threads < 2 || room_for(PLENTY);
    for (int i = 1; i < threads && (plenty || room_for(SPARE)); ++i) {
      workers_.emplace_back([this] { work(); });
      std::unique_lock lock(mutex_);
      if (!plenty) started_.wait(lock, [this] { return started_threads_ == workers_.size(); });
    }
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
    queued_ = queue_.size();
  }
  wake_.notify_one();
}

std::function<void()> Pool::take() {
  std::function<void()> task = std::move(queue_.front());
  queue_.pop_front();
  queued_ = queue_.size();
  return task;
}

bool Pool::run_one() {
  if (queued_ == 0) return false;
  std::function<void()> task;
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    task = take();
  }
  task();
  return true;
}

void Pool::rest_until(const std::function<bool()>& done) {
  const auto ready = [&] { return queued_ > 0 || done(); };
  spin_.until(ready);
  if (ready()) return;
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, std::chrono::milliseconds(50), ready);
}

void Pool::wake() {
  {
    std::lock_guard lock(mutex_);
  }  // whoever has found nothing to do sleeps now, or looks again
  wake_.notify_all();
}

void Pool::work() {
  touch_own_variables();
  {
    std::lock_guard lock(mutex_);
    ++started_threads_;
  }
  started_.notify_one();
  for (;;) {
    std::function<void()> task;
    spin_.until([this] { return queued_ > 0; });
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
      if (queue_.empty()) return;
      task = take();
    }
    task();
  }
}

namespace {

// What the participants of one parallel_for share; a helper that starts late finds no task left.
struct Loop {
  std::function<void(std::size_t)> body;
  std::size_t tasks = 0;
  std::atomic<std::size_t> next{0}, finished{0};
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable done;

  void run() {
    for (std::size_t i = next++; i < tasks; i = next++) {
      try {
        body(i);
      } catch (...) {
        std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
      if (++finished < tasks) continue;
      std::lock_guard lock(mutex);
      done.notify_all();
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
  try {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < helpers; ++i) {
      queue_.push_front([loop] { loop->run(); });
      queued_ = queue_.size();
    }
  } catch (const std::bad_alloc&) {  // with fewer helpers; those that were asked may be at work already
  }
  wake_.notify_all();
  loop->run();
  spin_.until([&] { return loop->finished == tasks; });
  std::unique_lock lock(loop->mutex);
  loop->done.wait(lock, [&] { return loop->finished == tasks; });
  if (loop->failure) std::rethrow_exception(loop->failure);
}

}  // namespace hardwood
