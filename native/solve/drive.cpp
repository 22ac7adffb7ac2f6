#include "solve/drive.hpp"

#include "solve/branch.hpp"

namespace treaty {
namespace {

// Translates limits and results between the prepared graph and the user's: they differ by a constant.
Limits shifted(const Limits& limits, double constant) {
  Limits inner = limits;
  if (limits.report)
    inner.report = [&limits, constant](const Progress& p) {
      Progress outer = p;
      outer.objective += constant;
      outer.bound += constant;
      return limits.report(outer);
    };
  return inner;
}

Outcome expanded(Outcome outcome, const Prepared& prepared) {
  outcome.objective += prepared.constant;
  outcome.bound += prepared.constant;
  for (auto& step : outcome.trace) step.objective += prepared.constant, step.bound += prepared.constant;
  if (!outcome.values.empty() || prepared.graph.variables() == 0) outcome.values = prepared.expand(outcome.values);
  outcome.relaxed = prepared.expand(outcome.relaxed);
  return outcome;
}

Outcome infeasible() {
  Outcome outcome;
  outcome.status = Status::Infeasible;
  outcome.bound = -kInfinity;
  return outcome;
}

}  // namespace

Outcome solve_ad3(const Graph& graph, const Ad3Options& options, const Limits& limits,
                  std::shared_ptr<const Ad3State>& warm) {
  const Stopwatch watch;
  const Prepared prepared(graph);
  if (prepared.infeasible) return infeasible();
  Ad3 solver(prepared.graph, options);
  solver.set_offset(prepared.constant);
  if (warm) solver.start_from(*warm, prepared.origin);
  auto outcome = expanded(solver.run(shifted(limits, prepared.constant)), prepared);
  warm = std::make_shared<const Ad3State>(solver.state(prepared.origin));
  outcome.seconds = watch.seconds();
  return outcome;
}

Outcome solve_subgradient(const Graph& graph, const SubgradientOptions& options, const Limits& limits) {
  const Stopwatch watch;
  const Prepared prepared(graph);
  if (prepared.infeasible) return infeasible();
  Subgradient solver(prepared.graph, options);
  solver.set_offset(prepared.constant);
  auto outcome = expanded(solver.run(shifted(limits, prepared.constant)), prepared);
  outcome.seconds = watch.seconds();
  return outcome;
}

Outcome solve_exact(const Graph& graph, const Ad3Options& options, const Limits& limits) {
  const Stopwatch watch;
  const Prepared prepared(graph);
  if (prepared.infeasible) return infeasible();
  Ad3 solver(prepared.graph, options);
  solver.set_offset(prepared.constant);
  auto outcome =
      expanded(branch_and_bound(prepared.graph, solver, shifted(limits, prepared.constant)), prepared);
  outcome.seconds = watch.seconds();
  return outcome;
}

std::vector<double> round_relaxed(const Graph& graph, std::span<const double> relaxed) {
  constexpr std::int64_t kPolish = 50;
  const Prepared prepared(graph);
  if (prepared.infeasible) return {};
  Layout layout(prepared.graph);
  Rounder rounder(prepared.graph, layout);
  const double objective = rounder.round(prepared.reduce(relaxed), prepared.graph.evidence);
  if (objective == -kInfinity) return {};
  rounder.polish(objective, prepared.graph.evidence, 0.0, kPolish * layout.slots());
  return prepared.expand(std::vector<double>(rounder.values().begin(), rounder.values().end()));
}

}  // namespace treaty
