#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "learn/batches.hpp"
#include "solve/dual/batch.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::solve;

struct BatchStarts {
  explicit BatchStarts(std::size_t most) : kept(most) {}
  WarmStarts<BatchStart> kept;
};

struct BatchWorker {
  explicit BatchWorker(const Graph& given) : graph(given) {}
  Graph graph;
};

nb::tuple solve_batch(const Graph& graph, InRows<double> scores, std::int64_t iterations, double seconds, double gap,
                      double tolerance, bool polish, Threads threads, BatchStarts* warm, In<std::int64_t> keys) {
  const Reading reading(&graph);
  const graph::Parameters parameters(graph);
  const auto items = scores.shape(0), width = scores.shape(1), variables = parameters.variables();
  if ((width != variables && width != parameters.size()) || (warm && keys.shape(0) != items))
    throw std::invalid_argument("expected a score for each variable, or for each parameter, and a key for each item");
  Ad3Options options;
  options.tolerance = tolerance;
  options.polish = polish;
  Limits limits;
  limits.iterations = iterations;
  limits.seconds = seconds;
  limits.gap = gap;
  limits.keep_going = [] { return learn::check_interrupt(), true; };
  std::vector<std::int8_t> values(items * variables, -1);
  std::vector<double> objective(items), bound(items), time(items), relaxed(items * variables, std::nan(""));
  std::vector<std::uint8_t> status(items);
  std::vector<std::int64_t> iteration(items);
  unlocked([&] {
    const auto structure = warm ? structure_of(graph) : 0;
    std::vector<BatchStart> starts(warm ? items : 0);
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = warm->kept.take(structure, view(keys)[i]);
    const auto workers = learn::one_per_thread<BatchWorker>(threads, graph);
    learn::parallel_for(static_cast<int>(items), threads, [&](int item, int worker) {
      const auto i = static_cast<std::size_t>(item);
      const auto outcome = solve_item(workers[worker]->graph, parameters, {scores.data() + i * width, width}, options,
                                      limits, warm ? &starts[i] : nullptr);
      objective[i] = outcome.objective, bound[i] = outcome.bound, time[i] = outcome.seconds;
      status[i] = static_cast<std::uint8_t>(outcome.status), iteration[i] = outcome.iterations;
      if (std::isfinite(outcome.objective))
        for (std::size_t v = 0; v < variables; ++v) values[i * variables + v] = outcome.values[v] > 0.5;
      if (outcome.relaxed.size() == variables) std::ranges::copy(outcome.relaxed, relaxed.begin() + static_cast<std::ptrdiff_t>(i * variables));
    });
    for (std::size_t i = 0; i < starts.size(); ++i) warm->kept.put(structure, view(keys)[i], std::move(starts[i]));
  });
  return nb::make_tuple(to_rows(std::move(values), items, variables), to_rows(std::move(relaxed), items, variables),
                        to_numpy(std::move(objective)), to_numpy(std::move(bound)), to_numpy(std::move(status)),
                        to_numpy(std::move(iteration)), to_numpy(std::move(time)));
}

}  // namespace

void register_solve_batch(nb::module_& m) {
  nb::class_<BatchStarts>(m, "BatchStarts", "Multipliers of AD3 for examples, by key; the least recently used go first.")
      .def(nb::init<std::size_t>(), nb::arg("most"))
      .def("__len__", [](const BatchStarts& starts) { return starts.kept.size(); })
      .def("clear", [](BatchStarts& starts) { starts.kept.clear(); });
  m.def("batch", &solve_batch, nb::arg("graph"), nb::arg("scores"), nb::kw_only(), nb::arg("iterations") = 5000,
        nb::arg("seconds") = kInfinity, nb::arg("gap") = 0.0, nb::arg("tolerance") = 1e-6, nb::arg("polish") = true,
        nb::arg("threads") = 1, nb::arg("warm") = nb::none(), nb::arg("keys"),
        "AD3 for each row of scores: values, relaxed values, objectives, bounds, statuses, iterations, seconds.");
}

}  // namespace treaty::bind
