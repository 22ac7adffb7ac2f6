// A loop over independent items by several threads; the results do not depend on which thread takes which item.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "learn/host.hpp"

namespace treaty::learn {

// More threads than this would only cost memory.
inline int usable_threads(int wanted) {
  static const int most = std::max(16, 4 * static_cast<int>(std::thread::hardware_concurrency()));  // a slow call
  return std::clamp(wanted, 1, most);
}

// Threads that help the calling one with a loop. If one cannot be started, there are fewer.
class Team {
 public:
  explicit Team(int items) : items_(items) {}

  // Calls body(item, worker) for item after item until none is left or a worker has failed.
  template <class Body>
  void work(int worker, Body& body) {
    guarded([&] {
      for (int i = next_++; i < items_ && !stopped_; i = next_++) {
        body(i, worker);
        check_interrupt();
      }
    });
  }
  template <class Body>
  void start(int helpers, Body& body) {
    guarded([&] {
      const auto help = [&](int worker) {
        has_stopped = &stopped_;
        work(worker, body);
        const std::lock_guard lock(mutex_);
        ++ended_;
        ended_changed_.notify_one();
      };
      try {
        for (int worker = 1; worker <= helpers; ++worker) threads_.emplace_back(help, worker);
      } catch (const std::exception&) {  // a limit on memory, or on the number of threads
        if (host.warn)
          host.warn("only " + std::to_string(threads_.size() + 1) + " of " + std::to_string(helpers + 1) +
                    " threads could be started; the results are the same");
      }
    });
  }
  // Waits for the helpers, and throws what the first to fail has thrown.
  void finish() {
    if (threads_.empty() && !failure_) return;
    std::unique_lock lock(mutex_);
    const auto all_ended = [&] { return ended_ == threads_.size(); };
    while (!ended_changed_.wait_for(lock, std::chrono::milliseconds(50), all_ended)) {
      lock.unlock();
      guarded([] { check_interrupt(); });
      lock.lock();
    }
    lock.unlock();
    for (auto& thread : threads_) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Action>
  void guarded(Action action) {
    try {
      action();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  const int items_;
  std::atomic<int> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_changed_;
  std::size_t ended_ = 0;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

// Calls body(item, worker) for every item below `items`; workers are numbered from 0 to `threads` - 1. The first
// exception is rethrown here after all threads have stopped.
template <class Body>
void parallel_for(int items, int threads, Body body) {
  Team team(items);
  team.start(std::min(usable_threads(threads), items) - 1, body);
  team.work(0, body);
  team.finish();
}

}  // namespace treaty::learn
