// When a bound proves an answer. Every solver asks here, so that OPTIMAL means the same everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "graph/graph.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

// The sizes of a problem's scores.
struct ScoreRange {
  double smallest = kInfinity, largest = 0.0;  // absolute values of the scores that are neither zero nor infinite

  void add(double score) {
    const double size = std::abs(score);
    if (size == 0.0 || size == kInfinity) return;
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  }
  void add(std::span<const double> scores) {
    for (double score : scores) add(score);
  }
  // What an objective near zero is compared with: the largest score, unless others are far smaller. One huge penalty
  // must not make the differences between ordinary scores negligible. Without scores only feasibility counts.
  double unit() const {
    constexpr double kFar = 1e4;
    return largest == 0.0 ? 1.0 : std::min(largest, kFar * smallest);
  }
};

ScoreRange range_of(const graph::Graph& graph);

// A bound that exceeds the objective by no more than this proves the answer.
inline double tolerance_of(double objective, double unit, double relative = 1e-8) {
  return std::isfinite(objective) ? relative * std::max(std::abs(objective), unit) : 0.0;
}

// Sets the status of an outcome from its objective and bound. `solved` says that the relaxation is solved. `rounding`
// was added to the bound, as its sums are rounded: a gap of that size is none.
void judge(Outcome& outcome, double tolerance, bool solved, double rounding = 0.0);

}  // namespace treaty::solve
