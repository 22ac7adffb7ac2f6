// Ctrl-C, and the wish of another thread, for kernels that run without the interpreter lock.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "bind/bind.hpp"
#include "graph/stop.hpp"

namespace treaty::bind {

// Set by the main thread to stop workers: only it hears Ctrl-C.
struct Cancel {
  std::atomic<bool> set = false;
};

// Lets Ctrl-C through while the interpreter lock is free: asked often, it looks twenty times a second.
inline std::function<bool()> interruptible(const Cancel* cancel = nullptr) {
  using Clock = std::chrono::steady_clock;
  return [cancel, last = Clock::now()]() mutable {
    if (cancel && cancel->set) return false;
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(50)) return true;
    last = now;
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return true;
  };
}

}  // namespace treaty::bind
