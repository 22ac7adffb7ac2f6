#include "solve/dual/drive.hpp"

#include <optional>

#include "solve/dual/answers.hpp"
#include "solve/search/branch.hpp"
#include "solve/search/dense.hpp"
#include "solve/patterns/junction.hpp"

namespace treaty::solve {
namespace {

// Translates limits and results between the prepared graph and the user's: they differ by a scale and a constant.
Progress outside(Progress progress, const Prepared& prepared) {
  progress.objective = prepared.outside(progress.objective);
  progress.bound = prepared.outside(progress.bound);
  return progress;
}

Limits inside(const Limits& limits, const Prepared& prepared) {
  Limits inner = limits;
  inner.gap *= prepared.scale;
  if (limits.report) inner.report = [&](const Progress& p) { return limits.report(outside(p, prepared)); };
  return inner;
}

Outcome outside(Outcome outcome, const Prepared& prepared) {
  outcome.objective = prepared.outside(outcome.objective);
  outcome.bound = prepared.outside(outcome.bound);
  for (auto& step : outcome.trace) step = outside(step, prepared);
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

template <class Solve>
Outcome solve_prepared(const Graph& graph, const Limits& limits, Solve solve) {
  const Stopwatch watch;
  const Prepared prepared(graph);
  auto inner = inside(limits, prepared);
  inner.seconds -= watch.seconds();
  auto outcome = prepared.infeasible ? infeasible() : outside(solve(prepared, inner), prepared);
  outcome.seconds = watch.seconds();
  return outcome;
}

void measure_by(const Graph& source, const Prepared& prepared, DualSolver& solver) {
  const auto range = range_of(source);
  solver.set_source(prepared.constant * prepared.scale, range.largest > 0.0 ? range.unit().scaled(prepared.scale) : Unit{kInfinity});
}

}  // namespace

Outcome solve_ad3(const Graph& graph, const Ad3Options& options, const Limits& limits,
                  std::shared_ptr<const Ad3State>& warm) {
  return solve_prepared(graph, limits, [&](const Prepared& prepared, const Limits& inner) {
    Ad3 solver(prepared.graph, options);
    measure_by(graph, prepared, solver);
    if (warm) solver.start_from(*warm, prepared.origin, prepared.scale);
    Answers answers(graph, prepared);
    solver.set_search([&](auto values, auto budget, const auto& go) { return answers.better(values, budget, go); });
    auto outcome = solver.run(inner);
    warm = std::make_shared<const Ad3State>(solver.state(prepared.origin, prepared.scale));
    return outcome;
  });
}

Outcome solve_subgradient(const Graph& graph, const SubgradientOptions& options, const Limits& limits) {
  return solve_prepared(graph, limits, [&](const Prepared& prepared, const Limits& inner) {
    Subgradient solver(prepared.graph, options);
    measure_by(graph, prepared, solver);
    return solver.run(inner);
  });
}

namespace {

// AD3 proves what its relaxation is tight on in no time, as the first node; what is left goes to slices, which are
// tighter.
Outcome solve_by_slices(const Graph& graph, const Ad3Options& options, const Limits& limits) {
  const Stopwatch watch;
  Limits first = limits;
  first.iterations = 500;
  first.trace = false;
  std::shared_ptr<const Ad3State> warm;
  auto relaxed = solve_ad3(graph, options, first, warm);
  relaxed.iterations = 1;
  Limits rest = limits;
  rest.seconds = limits.seconds - watch.seconds();
  rest.iterations = limits.iterations - 1;
  if (relaxed.status == Status::Optimal || relaxed.status == Status::Infeasible) return relaxed;
  if (relaxed.status == Status::Fractional) relaxed.status = Status::Feasible;  // there is more to search
  if (rest.seconds <= 0.0 || rest.iterations <= 0 || relaxed.bound - relaxed.objective <= limits.gap) return relaxed;
  Outcome sliced;
  try {
    sliced = solve_junction(graph, {}, rest);
  } catch (const Stopped&) {  // before its first node
    return relaxed;
  }
  sliced.bound = std::min(sliced.bound, relaxed.bound);
  if (relaxed.objective > sliced.objective) {
    sliced.objective = relaxed.objective;
    sliced.values = std::move(relaxed.values);
  }
  judge(sliced, tolerance_of(sliced.objective, range_of(graph).unit()), false);
  for (auto& step : sliced.trace) {
    step.iteration += 1;
    step.seconds += relaxed.seconds;
    step.bound = std::min(step.bound, relaxed.bound);
    step.objective = std::max(step.objective, relaxed.objective);
  }
  sliced.iterations += 1;
  sliced.seconds = watch.seconds();
  return sliced;
}

// Tables of pairs with many labels, if that is what the graph is.
std::optional<Outcome> solve_if_dense(const Graph& graph, const Limits& limits) {
  const Stopwatch watch;
  std::optional<PatternGraph> pattern;
  try {
    pattern.emplace(graph);
  } catch (const GraphError&) {
    return std::nullopt;
  }
  if (!is_dense(pattern->problem)) return std::nullopt;
  std::vector<std::int32_t> label;
  Limits rest = limits;
  rest.seconds -= watch.seconds();
  auto outcome = solve_dense(pattern->problem, rest, label);
  if (outcome.objective > -kInfinity) outcome.values = pattern->values(label);
  outcome.seconds = watch.seconds();
  return outcome;
}

}  // namespace

Outcome solve_exact(const Graph& graph, const Ad3Options& options, const Limits& given, std::optional<bool> sliced) {
  const Stopwatch watch;
  Limits limits = given;
  if (limits.iterations > 0) {
    if (!sliced) sliced = has_narrow_slices(graph, {});
    limits.seconds = given.seconds - watch.seconds();  // looking at a large graph takes its time, too
    if (*sliced) return solve_by_slices(graph, options, limits);
    if (auto outcome = solve_if_dense(graph, limits)) return std::move(*outcome);
    limits.seconds = given.seconds - watch.seconds();
  }
  return solve_prepared(graph, limits, [&](const Prepared& prepared, const Limits& inner) {
    Ad3 solver(prepared.graph, options);
    measure_by(graph, prepared, solver);
    Answers answers(graph, prepared);
    return branch_and_bound(prepared.graph, solver, inner,
                            [&](auto values, auto budget, const auto& go) { return answers.better(values, budget, go); });
  });
}

Outcome search_share(const Graph& graph, const Ad3Options& options, const Limits& limits, Share& share,
                     std::vector<double>& bounds) {
  bounds.clear();
  auto outcome = solve_prepared(graph, limits, [&](const Prepared& prepared, const Limits& inner) {
    Ad3 solver(prepared.graph, options);
    measure_by(graph, prepared, solver);
    Answers answers(graph, prepared);
    if (!share.known.empty()) share.known = prepared.reduce(share.known);
    auto found = branch_and_bound(
        prepared.graph, solver, inner,
        [&](auto values, auto budget, const auto& go) { return answers.better(values, budget, go); }, &share);
    for (const auto& box : share.boxes) bounds.push_back(prepared.outside(box.bound + solver.error()));
    share.pruned = share.pruned == -kInfinity ? -kInfinity : prepared.outside(share.pruned + solver.error());
    return found;
  });
  if (outcome.status == Status::Infeasible) share.boxes.clear();
  return outcome;
}

std::vector<double> round_relaxed(const Graph& graph, std::span<const double> relaxed) {
  constexpr std::int64_t kPolish = 20;
  const Prepared prepared(graph);
  if (prepared.infeasible) return {};
  Layout layout(prepared.graph);
  Rounder rounder(prepared.graph, layout);
  const double objective = rounder.round(prepared.reduce(relaxed), prepared.graph.evidence);
  if (objective == -kInfinity) return {};
  const auto budget = kPolish * (layout.slots() + layout.variables());
  rounder.polish(objective, prepared.graph.evidence, 0.0, budget, budget);
  return prepared.expand(std::vector<double>(rounder.values().begin(), rounder.values().end()));
}

}  // namespace treaty::solve
