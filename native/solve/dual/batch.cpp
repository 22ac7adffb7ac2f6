#include "solve/dual/batch.hpp"

#include "solve/presolve/harden.hpp"
#include "solve/judge.hpp"

namespace treaty::solve {

namespace {

constexpr double kWidest = 1e-6;  // the largest gap of an optimum, relative to the objective

void check_claim(const Graph& graph, Outcome& outcome) {
  if (outcome.status == Status::Optimal &&
      !(outcome.bound - outcome.objective <= tolerance_of(outcome.objective, range_of(graph).unit(), kWidest)))
    outcome.status = Status::Feasible;
}

}  // namespace

Outcome solve_item(Graph& graph, const graph::Parameters& parameters, std::span<const double> scores,
                   const Ad3Options& options, const Limits& given, BatchStart* start) {
  const Stopwatch watch;
  parameters.write(scores, graph);
  Limits limits = given;
  Outcome outcome;
  const auto levels = harden(graph);
  BatchStart none;
  BatchStart& starts = start ? *start : none;
  starts.resize(levels.size() + 1);
  for (std::size_t i = 0; i <= levels.size(); ++i) {
    const bool whole = i == levels.size();
    outcome = solve_ad3(whole ? graph : levels[i].graph, options, limits, starts[i]);
    limits.seconds = given.seconds - watch.seconds();
    if (whole) break;
    if (outcome.objective + levels[i].constant < levels[i].limit) continue;
    outcome.objective += levels[i].constant;
    outcome.bound += levels[i].constant;
    break;
  }
  outcome.seconds = watch.seconds();
  check_claim(graph, outcome);
  return outcome;
}

}  // namespace treaty::solve
