// Dual decomposition for labels: what the tree-cut and the naive decomposition share.
//
// A decomposition answers multipliers with a bound, a subgradient of it and labels. The driver moves the multipliers
// against the subgradient, scores every labeling it sees by the true objective, and stops when bound and answer meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/search/primal_search.hpp"
#include "solve/patterns/pattern_problem.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

class LabelDual {
 public:
  virtual ~LabelDual() = default;
  // Where the multipliers start.
  virtual std::vector<double> start() const = 0;
  // The bound at these multipliers; -inf when nothing is allowed. Writes a subgradient and labels of all vertices.
  virtual double evaluate(std::span<const double> multiplier, std::span<double> subgradient,
                          std::span<std::int32_t> label) = 0;
};

enum class LabelStep : std::uint8_t {
  Level,  // towards a target below the best bound, along deflected subgradients
  Rush,   // step / (1 + how often the dual went up)   (Rush et al. 2010)
};

struct LabelOptions {
  LabelStep rule = LabelStep::Level;
  double step = 1.0;        // Rush: the first, relative to the size of the scores
  double tolerance = 1e-3;  // Level: solved when no more than this share of the gap is hoped for
};

struct LabelOutcome : Outcome {  // `values` stay empty
  std::vector<std::int32_t> label;
};

LabelOutcome minimize(const PatternProblem& problem, LabelDual& dual, const LabelOptions& options,
                      const Limits& limits);

template <class Dual, class Options>
LabelOutcome solve_tidied(const PatternProblem& tidied, const Options& options, const Limits& limits) {
  const Stopwatch watch;
  Dual dual(tidied, options);
  auto outcome = minimize(tidied, dual, options, limits);
  outcome.seconds = watch.seconds();
  return outcome;
}

// From a user's graph to an outcome in its own variables.
template <class Dual, class Options>
Outcome solve_read(const Graph& graph, const Options& options, const Limits& limits) {
  const Stopwatch watch;
  const PatternGraph reading(graph);
  LabelOutcome outcome = solve_tidied<Dual>(reading.problem, options, limits);
  if (outcome.objective > -kInfinity) outcome.values = reading.values(outcome.label);
  outcome.seconds = watch.seconds();
  return outcome;
}

}  // namespace treaty::solve
