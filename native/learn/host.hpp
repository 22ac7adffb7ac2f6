// What the kernels want of the program they are part of: to hear that the work is to stop, and to be heard.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace treaty::learn {

struct Host {
  void (*check_interrupt)() = nullptr;  // throws if the user wants to stop, or time is up
  void (*warn)(const std::string&) = nullptr;
};
inline Host host;  // set once, when the module is loaded

// Of a helping thread: whether the others have stopped. The host speaks only to the thread that called the kernel.
inline thread_local const std::atomic<bool>* has_stopped = nullptr;
struct Stopped {};

// Called often in long loops: throws if the work is to stop. The host is asked twenty times a second.
inline void check_interrupt() {
  using namespace std::chrono;
  static thread_local steady_clock::time_point last;
  if (has_stopped) {
    if (*has_stopped) throw Stopped{};
    return;
  }
  if (!host.check_interrupt) return;
  const auto now = steady_clock::now();
  if (now - last < milliseconds(50)) return;
  last = now;
  host.check_interrupt();
}

// The same in loops whose steps are so short that to look at the clock in each would cost time.
inline void check_interrupt(std::int64_t step) {
  if ((step & 255) == 0) check_interrupt();
}

}  // namespace treaty::learn
