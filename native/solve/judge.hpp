// When a bound proves an answer, and what an answer scores. Every solver asks here, so that OPTIMAL means the same
// everywhere; the last word on every solution is spoken with verdict_on (src/treaty/solve/_judge.py).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "graph/graph.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

// What tolerances are measured in.
struct Unit {
  double least = 1.0;        // an objective near zero is compared with this
  double most = kInfinity;   // an objective counts as no larger: scores far above the typical one are no yardstick
  double typical = 0.0;      // three quarters of the scores are no larger, roughly
  Unit scaled(double by) const { return {least * by, most * by, typical * by}; }
};

// The sizes of a problem's scores.
struct ScoreRange {
  double smallest = kInfinity, largest = 0.0;  // absolute values of the scores that are neither zero nor infinite

  void add(double score) {
    const double size = std::abs(score);
    if (size == 0.0 || size == kInfinity) return;
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
    ++count_[exponent_of(size)];
  }
  void add(std::span<const double> scores) {
    for (double score : scores) add(score);
  }
  // What an objective near zero is compared with: the largest score, unless others are far smaller. One huge penalty
  // must not make the differences between ordinary scores negligible, neither before nor after it is paid. Without
  // scores only feasibility counts.
  Unit unit() const;

 private:
  static constexpr int kExponents = 1 << 11;
  static std::size_t exponent_of(double size) { return (std::bit_cast<std::uint64_t>(size) >> 52) & (kExponents - 1); }
  std::array<std::uint32_t, kExponents> count_{};  // of the scores by their binary exponents
};

ScoreRange range_of(const graph::Graph& graph);

// A power of two that brings scores near one where they are so small or large that sums of them, or what tolerances make
// of them, leave the range of doubles; 1 for all others, and where a user's own factor has scores nobody can scale.
double handy_scale(const graph::Graph& graph);
graph::Graph rescaled(const graph::Graph& graph, double by);

// A bound that exceeds the objective by no more than this proves the answer.
inline double tolerance_of(double objective, const Unit& unit, double relative = 1e-8) {
  return std::isfinite(objective) ? relative * std::max(std::min(std::abs(objective), unit.most), unit.least) : 0.0;
}

// By how much a sum of numbers with these absolute values in total may be wrong.
inline double rounding_of(double size) { return 4.0 * std::numeric_limits<double>::epsilon() * size; }

// A sum that is as good as exact: what each addition loses (Knuth 1969) is added up apart.
class Sum {
 public:
  void add(double term) {
    const double total = total_ + term, added = total - total_;
    lost_ += (total_ - (total - added)) + (term - added);
    total_ = total;
  }
  double value() const { return std::isfinite(lost_) ? total_ + lost_ : total_; }

 private:
  double total_ = 0.0, lost_ = 0.0;
};

// Sets the status of an outcome from its objective and bound. `solved` says that the relaxation is solved. `rounding`
// was added to the bound, as its sums are rounded: a gap of that size is none.
void judge(Outcome& outcome, double tolerance, bool solved, double rounding = 0.0);

// An assignment weighed on its graph.
struct Verdict {
  double score = -kInfinity;  // -inf if it violates evidence, a categorical variable or a factor
  double size = 0.0;          // the absolute values that the score is a sum of
};
// What users' own factors say of it is entered in `hidden`: nothing else is known of their scores.
Verdict verdict_on(const graph::Graph& graph, std::span<const std::int8_t> values, ScoreRange& hidden);

// Whether a bound proves an answer. Differences that cannot be seen in floating point, next to scores as large as
// those of the answer, are not decided: no if these are differences of typical scores.
bool is_proof(const Unit& unit, const Verdict& answer, double bound, double relative);

}  // namespace treaty::solve
