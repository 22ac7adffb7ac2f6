// What every native solver takes and returns.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/oracle.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::kInfinity, graph::poll, graph::Stop, graph::Stopped, graph::StopScope;

// How a run is going; handed to a callback and kept in the trace.
struct Progress {
  std::int64_t iteration = 0;
  double seconds = 0.0;
  double objective = -kInfinity;
  double bound = kInfinity;
  double primal_residual = 0.0, dual_residual = 0.0;
};

struct Limits {
  std::int64_t iterations = 1000;
  double seconds = kInfinity;
  double gap = 0.0;  // stop as soon as bound - objective is no more than this
  // Called every `report_every` iterations, and asked now and then whether to stop; false stops the run.
  std::function<bool(const Progress&)> report;
  std::int64_t report_every = 0;
  std::function<bool()> keep_going;
  bool trace = false;
};

enum class Status : std::uint8_t { Optimal, Fractional, Feasible, Infeasible, Unknown };

struct Outcome {
  Status status = Status::Unknown;
  std::vector<double> values;   // best assignment; empty when none was found
  std::vector<double> relaxed;  // last iterate of the relaxation
  double objective = -kInfinity;
  double bound = kInfinity;
  std::int64_t iterations = 0;
  double seconds = 0.0;
  std::vector<Progress> trace;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace treaty::solve
