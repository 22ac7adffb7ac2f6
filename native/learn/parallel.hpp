// A loop over independent items by several threads; the results do not depend on which thread takes which item.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace treaty::learn {

// Calls body(item, worker) for every item below `items`; workers are numbered from 0 to `threads` - 1. The first
// exception is rethrown here after all threads have stopped.
template <class Body>
void parallel_for(int items, int threads, Body body) {
  if (threads > items) threads = items;
  if (threads <= 1) {
    for (int i = 0; i < items; ++i) body(i, 0);
    return;
  }
  std::atomic<int> next = 0;
  std::exception_ptr failure;
  std::mutex failing;
  auto work = [&](int worker) {
    try {
      for (int i = next++; i < items; i = next++) body(i, worker);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = items;
    }
  };
  std::vector<std::thread> others;
  for (int worker = 1; worker < threads; ++worker) others.emplace_back(work, worker);
  work(0);
  for (auto& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace treaty::learn
