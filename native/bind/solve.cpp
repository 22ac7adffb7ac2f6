#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "bind/interruptible.hpp"
#include "solve/search/consistent_search.hpp"
#include "solve/search/dense.hpp"
#include "solve/dual/drive.hpp"
#include "solve/presolve/harden.hpp"
#include "solve/judge.hpp"
#include "solve/patterns/junction.hpp"
#include "solve/patterns/naive.hpp"
#include "solve/patterns/two_slave.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::graph;
using namespace treaty::solve;

using Report = std::optional<std::function<nb::object(const Progress&)>>;

Limits make_limits(std::int64_t iterations, double seconds, double gap, bool trace, const Report& report,
                   std::int64_t report_every, const Cancel* cancel) {
  Limits limits;
  limits.iterations = iterations;
  limits.seconds = seconds;
  limits.gap = gap;
  limits.trace = trace;
  limits.keep_going = interruptible(cancel);
  if (report) {
    limits.report_every = std::max<std::int64_t>(1, report_every);
    limits.report = [&report](const Progress& progress) {
      nb::gil_scoped_acquire lock;
      const StopScope none(nullptr);  // not for what the callback calls in turn
      const nb::object answer = (*report)(progress);
      return !answer.is(nb::bool_(false));  // a callback that returns nothing goes on
    };
  }
  return limits;
}

// A loop looks at its limit between two iterations, and ends well. So long after it, work is stopped wherever it is.
double hard_limit(double seconds) { return seconds + std::max(0.03 * seconds, 0.15); }

// What a piece of work returns; `otherwise`, when time was out or the user interrupted before it ended.
template <class Work, class Result = std::invoke_result_t<Work>>
Result stopped_after(double seconds, const std::function<bool()>& keep_going, Result otherwise, Work work) {
  Stop stop(seconds, keep_going);
  const StopScope scope(&stop);
  try {
    return work();
  } catch (const Stopped&) {
    return otherwise;
  }
}

// Solves without the interpreter lock. A solver that is stopped before it knows anything leaves a bound, too.
template <class Solve>
auto solve_until(const Graph& graph, const Limits& limits, Solve solve) {
  const Reading reading(&graph);
  const nb::gil_scoped_release unlock;
  const Stopwatch watch;
  using Result = std::invoke_result_t<Solve>;  // an outcome, or perhaps none
  auto result = stopped_after(hard_limit(limits.seconds), limits.keep_going, Result(Outcome()), solve);
  auto complete = [&](Outcome& outcome) {
    if (outcome.bound == kInfinity) outcome.bound = std::max(sum_of_maxima(graph), outcome.objective);
    outcome.seconds = watch.seconds();
  };
  if constexpr (std::is_same_v<Result, Outcome>) complete(result);
  else if (result) complete(*result);
  return result;
}

struct Warm {
  std::shared_ptr<const Ad3State> state;
};

}  // namespace

void register_solve(nb::module_& m) {
  nb::enum_<Status>(m, "Status")
      .value("OPTIMAL", Status::Optimal)
      .value("FRACTIONAL", Status::Fractional)
      .value("FEASIBLE", Status::Feasible)
      .value("INFEASIBLE", Status::Infeasible)
      .value("UNKNOWN", Status::Unknown);

  nb::enum_<StepRule>(m, "StepRule")
      .value("decreasing", StepRule::Decreasing)
      .value("rush", StepRule::Rush)
      .value("polyak", StepRule::Polyak);

  nb::enum_<LabelStep>(m, "LabelStep").value("level", LabelStep::Level).value("rush", LabelStep::Rush);
  nb::enum_<CutStyle>(m, "CutStyle")
      .value("paper", CutStyle::Paper)
      .value("released", CutStyle::Released)
      .value("tight", CutStyle::Tight);

  nb::class_<Progress>(m, "Progress", "How a run is going.")
      .def_ro("iteration", &Progress::iteration)
      .def_ro("seconds", &Progress::seconds)
      .def_ro("objective", &Progress::objective)
      .def_ro("bound", &Progress::bound)
      .def_ro("primal_residual", &Progress::primal_residual)
      .def_ro("dual_residual", &Progress::dual_residual);

  nb::class_<Cancel>(m, "Cancel", "Stops the solvers it was handed to.")
      .def(nb::init<>())
      .def("set", [](Cancel& cancel) { cancel.set = true; })
      .def_prop_ro("is_set", [](const Cancel& cancel) { return bool(cancel.set); });

  nb::class_<Warm>(m, "Warm", "Multipliers and active sets to start from.");

  nb::class_<Outcome>(m, "Outcome")
      .def_ro("status", &Outcome::status)
      .def_prop_ro("values", [](const Outcome& o) { return to_numpy(std::vector<double>(o.values)); }, kOwned)
      .def_prop_ro("relaxed", [](const Outcome& o) { return to_numpy(std::vector<double>(o.relaxed)); }, kOwned)
      .def_ro("objective", &Outcome::objective)
      .def_ro("bound", &Outcome::bound)
      .def_ro("iterations", &Outcome::iterations)
      .def_ro("seconds", &Outcome::seconds)
      .def_prop_ro("trace", [](const Outcome& o) { return o.trace; });

  m.def(
      "ad3",
      [](const Graph& graph, std::int64_t iterations, double seconds, double gap, bool trace, double penalty,
         bool adapt_penalty, double tolerance, std::size_t rounds, bool polish, const Report& report,
         std::int64_t report_every, const Cancel* cancel, const Warm* warm) {
        const auto limits = make_limits(iterations, seconds, gap, trace, report, report_every, cancel);
        const Ad3Options options{penalty, adapt_penalty, tolerance, rounds, polish};
        std::shared_ptr<const Ad3State> state = warm ? warm->state : nullptr;
        auto outcome = solve_until(graph, limits, [&] { return solve_ad3(graph, options, limits, state); });
        return std::pair(std::move(outcome), Warm{state});
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("iterations") = 1000, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("penalty") = 0.0, nb::arg("adapt_penalty") = true,
      nb::arg("tolerance") = 1e-6, nb::arg("rounds") = ActiveSet::kExact, nb::arg("polish") = true,
      nb::arg("report") = nb::none(), nb::arg("report_every") = 0, nb::arg("cancel") = nb::none(), nb::arg("warm") = nb::none());

  m.def(
      "subgradient",
      [](const Graph& graph, std::int64_t iterations, double seconds, double gap, bool trace, StepRule rule,
         double step, const Report& report, std::int64_t report_every, const Cancel* cancel) {
        const auto limits = make_limits(iterations, seconds, gap, trace, report, report_every, cancel);
        return solve_until(graph, limits, [&] { return solve_subgradient(graph, {rule, step}, limits); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("iterations") = 1000, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("rule") = StepRule::Rush, nb::arg("step") = 1.0,
      nb::arg("report") = nb::none(), nb::arg("report_every") = 0, nb::arg("cancel") = nb::none());

  m.def(
      "exact",
      [](const Graph& graph, std::int64_t nodes, double seconds, double gap, bool trace, const Report& report,
         std::int64_t report_every, const Cancel* cancel, std::optional<bool> sliced) {
        const auto limits = make_limits(nodes, seconds, gap, trace, report, report_every, cancel);
        return solve_until(graph, limits, [&] { return solve_exact(graph, {}, limits, sliced); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("nodes") = std::int64_t{1} << 40, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("report") = nb::none(),
      nb::arg("report_every") = 0, nb::arg("cancel") = nb::none(), nb::arg("sliced") = nb::none());

  m.def(
      "consistent",
      [](const Graph& graph, std::int64_t nodes, double seconds, double gap, bool trace, const Report& report,
         std::int64_t report_every, const Cancel* cancel, double patience) {
        const auto limits = make_limits(nodes, seconds, gap, trace, report, report_every, cancel);
        return solve_until(graph, limits, [&] { return solve_consistently(graph, limits, patience); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("nodes") = std::int64_t{1} << 40, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("report") = nb::none(),
      nb::arg("report_every") = 0, nb::arg("cancel") = nb::none(), nb::arg("patience") = 1.0);

  m.def(
      "search_share",
      [](const Graph& graph, In<double> inner, In<std::int32_t> decisions, In<std::int64_t> begin, In<double> known,
         std::int64_t nodes, double seconds, double gap) {
        const auto limits = make_limits(nodes, seconds, gap, false, {}, 0, nullptr);
        Share share{{}, copy(known)};
        if (begin.shape(0) != inner.shape(0) + 1) throw std::invalid_argument("expected the begin of every box, and the end");
        for (std::size_t i = 0; i < inner.shape(0); ++i) {
          const auto first = view(begin)[i], last = view(begin)[i + 1];
          if (first < 0 || last < first || last > static_cast<std::int64_t>(decisions.shape(0)))
            throw std::invalid_argument("expected the begin of every box, and the end");
          share.boxes.push_back({view(inner)[i], {view(decisions).begin() + first, view(decisions).begin() + last}});
        }
        const Reading reading(&graph);
        std::vector<double> bounds, left;
        std::vector<std::int32_t> made;
        std::vector<std::int64_t> ends{0};
        Outcome outcome;
        {
          nb::gil_scoped_release unlock;
          outcome = search_share(graph, {}, limits, share, bounds);
          for (const auto& box : share.boxes) {
            left.push_back(box.bound);
            made.insert(made.end(), box.decisions.begin(), box.decisions.end());
            ends.push_back(static_cast<std::int64_t>(made.size()));
          }
        }
        return nb::make_tuple(std::move(outcome), to_numpy(std::move(left)), to_numpy(std::move(made)),
                              to_numpy(std::move(ends)), to_numpy(std::move(bounds)), share.pruned);
      },
      nb::arg("graph"), nb::arg("inner"), nb::arg("decisions"), nb::arg("begin"), nb::arg("known"), nb::kw_only(),
      nb::arg("nodes") = std::int64_t{1} << 40, nb::arg("seconds") = kInfinity, nb::arg("gap") = 0.0,
      "Search boxes: the outcome, and the boxes that are left (inner bounds, decisions, begins, bounds), and what was pruned.");

  m.def(
      "has_narrow_slices",
      [](const Graph& graph, double seconds, const Cancel* cancel) {
        const Reading reading(&graph);
        nb::gil_scoped_release unlock;
        return stopped_after(seconds, interruptible(cancel), false, [&] { return has_narrow_slices(graph, {}); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("seconds") = kInfinity, nb::arg("cancel") = nb::none(),
      "Whether the graph can be cut into slices that are all solved exactly.");

  m.def(
      "is_dense",
      [](const Graph& graph, double seconds, const Cancel* cancel) {
        const Reading reading(&graph);
        nb::gil_scoped_release unlock;
        return stopped_after(seconds, interruptible(cancel), false, [&] { return is_dense(from_graph(graph)); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("seconds") = kInfinity, nb::arg("cancel") = nb::none(),
      "Whether a pattern problem has tables of pairs only, and many for each variable.");

  m.def(
      "junction",
      [](const Graph& graph, std::int64_t iterations, double seconds, double gap, bool trace, std::size_t table_cells,
         const Report& report, std::int64_t report_every, const Cancel* cancel) {
        const auto limits = make_limits(iterations, seconds, gap, trace, report, report_every, cancel);
        return solve_until(graph, limits, [&] { return solve_junction(graph, {table_cells}, limits); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("iterations") = 1000, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("table_cells") = JunctionOptions().table_cells,
      nb::arg("report") = nb::none(), nb::arg("report_every") = 0, nb::arg("cancel") = nb::none());

  m.def(
      "two_slave",
      [](const Graph& graph, std::int64_t iterations, double seconds, double gap, bool trace, LabelStep rule,
         double step, double tolerance, CutStyle style, bool warm_cut, const Report& report,
         std::int64_t report_every, const Cancel* cancel) {
        const auto limits = make_limits(iterations, seconds, gap, trace, report, report_every, cancel);
        return solve_until(graph, limits, [&] { return solve_two_slave(graph, {{rule, step, tolerance}, style, warm_cut}, limits); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("iterations") = 1000, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("rule") = LabelStep::Level, nb::arg("step") = 1.0,
      nb::arg("tolerance") = 1e-3, nb::arg("style") = CutStyle::Tight, nb::arg("warm_cut") = true,
      nb::arg("report") = nb::none(), nb::arg("report_every") = 0, nb::arg("cancel") = nb::none());

  m.def(
      "naive",
      [](const Graph& graph, std::int64_t iterations, double seconds, double gap, bool trace, LabelStep rule,
         double step, double tolerance, const Report& report, std::int64_t report_every, const Cancel* cancel) {
        const auto limits = make_limits(iterations, seconds, gap, trace, report, report_every, cancel);
        return solve_until(graph, limits, [&] { return solve_naive(graph, {rule, step, tolerance}, limits); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("iterations") = 1000, nb::arg("seconds") = kInfinity,
      nb::arg("gap") = 0.0, nb::arg("trace") = false, nb::arg("rule") = LabelStep::Level, nb::arg("step") = 1.0,
      nb::arg("tolerance") = 1e-3, nb::arg("report") = nb::none(), nb::arg("report_every") = 0,
      nb::arg("cancel") = nb::none());

  m.def(
      "round_relaxed",
      [](const Graph& graph, In<double> relaxed, double seconds, const Cancel* cancel) {
        if (relaxed.shape(0) != static_cast<std::size_t>(graph.variables()))
          throw GraphError("expected one value per variable");
        const Reading reading(&graph);
        const auto given = view(relaxed);
        std::vector<double> rounded;
        {
          nb::gil_scoped_release unlock;
          rounded = stopped_after(seconds, interruptible(cancel), rounded, [&] { return round_relaxed(graph, given); });
        }
        return to_numpy(std::move(rounded));
      },
      nb::arg("graph"), nb::arg("relaxed"), nb::kw_only(), nb::arg("seconds") = kInfinity, nb::arg("cancel") = nb::none(),
      "A feasible assignment near a relaxed point; empty if none is found.");

  nb::class_<Hardened>(m, "Hardened", "A graph whose dominating penalties are hard constraints.")
      .def_ro("graph", &Hardened::graph)
      .def_ro("constant", &Hardened::constant)
      .def_ro("limit", &Hardened::limit);
  m.def(
      "harden",
      [](const Graph& graph, double seconds, const Cancel* cancel) {
        const Reading reading(&graph);
        nb::gil_scoped_release unlock;
        return stopped_after(seconds, interruptible(cancel), std::vector<Hardened>(), [&] { return harden(graph); });
      },
      nb::arg("graph"), nb::kw_only(), nb::arg("seconds") = kInfinity, nb::arg("cancel") = nb::none(),
      "The levels of a graph, the one with the most constraints first; none if time is out before they are known.");
  m.def("sum_of_maxima", &sum_of_maxima, nb::arg("graph"), "No assignment scores more; inf if custom factors take long to ask.");
  m.def("looks_at_the_clock", [] { return Stop::looks; }, "How often this thread's work has looked whether to stop.");
  m.def(
      "tolerance",
      [](const Graph& graph, double objective, double relative) {
        return tolerance_of(objective, range_of(graph).unit(), relative);
      },
      nb::arg("graph"), nb::arg("objective"), nb::arg("relative") = 1e-8,
      "By how much a bound may exceed an objective that it proves.");
  m.def("largest_score", [](const Graph& graph) { return range_of(graph).largest; }, nb::arg("graph"),
        "The largest absolute value of a finite score.");
  m.def("handy_scale", &handy_scale, nb::arg("graph"), "What brings tiny or huge scores near one; 1 for others.");
  m.def("rescaled", &rescaled, nb::arg("graph"), nb::arg("by"), "The graph with all scores multiplied.");
  m.def("rounding", &rounding_of, nb::arg("size"),
        "By how much a sum of numbers with these absolute values in total may be wrong.");
  m.def(
      "verdict",
      [](const Graph& graph, In<std::int8_t> values, double bound, double relative) {
        if (values.shape(0) != static_cast<std::size_t>(graph.variables()))
          throw GraphError("expected one value per variable");
        const Reading reading(&graph);
        nb::gil_scoped_release unlock;
        auto range = range_of(graph);
        const bool hides_all = range.largest == 0.0 && !graph.oracles.empty();
        const auto found = verdict_on(graph, view(values), range);
        if (hides_all && bound > found.score) bound = std::max(found.score, std::min(bound, sum_of_maxima(graph)));
        const bool proved = found.score > -kInfinity && is_proof(range.unit(), found, bound, relative);
        return std::tuple(found.score, rounding_of(found.size), bound, proved);
      },
      nb::arg("graph"), nb::arg("values"), nb::arg("bound") = kInfinity, nb::arg("relative") = 1e-8,
      "What an assignment scores, -inf if it violates something; the rounding of that sum; the bound, lowered where all scores\n"
      "are hidden in users' factors to what these say; whether it proves the assignment.");
}

}  // namespace treaty::bind
