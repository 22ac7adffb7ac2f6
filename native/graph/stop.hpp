// When work must end: at a time, or when the caller says so.
//
// One Stop is made where a call enters the kernels (native/bind). Every stage and every loop below it polls, however
// deep it lies, with what it has just looked at; most polls only count. The first poll that is due throws Stopped. It
// ends a stage that has nothing to show yet; a search catches it and returns the best it has. Loops poll only where
// what they leave behind is still valid. Without a Stop, as in training, polls do nothing. See docs/adr/0029.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace treaty::graph {

struct Stopped {};  // no error: the call that made the Stop catches it

class Stop {
 public:
  // Work may go on for so many seconds (infinitely many, if there is no limit), and as long as `keep_going` says.
  explicit Stop(double seconds, std::function<bool()> keep_going = {})
      : has_limit_(seconds < kForever), keep_going_(std::move(keep_going)) {
    if (has_limit_) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  // Whether to end. Once it is due, it stays so.
  bool is_due() {
    credit_ = kSteps;
    due_ = due_ || (has_limit_ && Clock::now() >= end_) || (keep_going_ && !keep_going_());
    return due_;
  }
  void poll(std::int64_t steps) {
    if ((credit_ -= steps) >= 0) return;
    ++looks;
    if (is_due()) throw Stopped();
  }

  static inline constinit thread_local Stop* current = nullptr;
  static inline constinit thread_local std::int64_t looks = 0;  // at the clock, for tests

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kForever = 1e9;             // seconds
  static constexpr std::int64_t kSteps = 1 << 16;     // between two looks at the clock; a step takes some nanoseconds

  bool has_limit_, due_ = false;
  Clock::time_point end_{};
  std::function<bool()> keep_going_;
  std::int64_t credit_ = 0;
};

// Says that so many steps of work were done, or are about to be: numbers looked at, roughly. Throws Stopped.
inline void poll(std::int64_t steps = 1) {
  if (auto* stop = Stop::current) stop->poll(steps);
}

// The Stop of this thread, for the time of a scope; none suspends polling.
class StopScope {
 public:
  explicit StopScope(Stop* stop) : outer_(std::exchange(Stop::current, stop)) {}
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope() { Stop::current = outer_; }

 private:
  Stop* outer_;
};

}  // namespace treaty::graph
