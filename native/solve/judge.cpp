#include "solve/judge.hpp"

#include "graph/factors.hpp"

namespace treaty::solve {

ScoreRange range_of(const graph::Graph& graph) {
  ScoreRange range;
  range.add(graph.score);
  for (std::int32_t f = 0; f < graph.factors(); ++f)
    if (visit(graph.kind[f], [](auto factor) { return factor.data_are_scores; })) range.add(graph.factor(f).data);
  return range;
}

void judge(Outcome& outcome, double tolerance, bool solved, double rounding) {
  if (outcome.objective == -kInfinity) {
    outcome.status = outcome.bound == -kInfinity ? Status::Infeasible : Status::Unknown;
    return;
  }
  const double gap = outcome.bound - outcome.objective;
  if (gap > tolerance) {
    outcome.status = solved ? Status::Fractional : Status::Feasible;
  } else {
    outcome.status = Status::Optimal;
    if (gap <= 2.0 * rounding) outcome.bound = outcome.objective;
  }
}

}  // namespace treaty::solve
