#include <nanobind/stl/optional.h>

#include <list>
#include <mutex>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "diff/marginals.hpp"
#include "diff/smoother.hpp"
#include "learn/parallel.hpp"
#include "solve/dual/warm_starts.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::diff;
using SmoothStarts = solve::WarmStarts<SmoothStart>;

// The answers of a batch, and what is needed to take their gradients.
struct Smoothed {
  Smoothed(const Graph& given, const SmoothOptions& chosen, std::size_t items, int threads)
      : graph(given), options(chosen), parameters(graph), workers(static_cast<std::size_t>(learn::usable_threads(threads))),
        values(items * graph.score.size()), faces(items), answers(items) {}

  Smoother& worker(int number) {
    auto& one = workers[static_cast<std::size_t>(number)];
    if (!one) one = std::make_unique<Smoother>(graph, options);
    return *one;
  }
  std::size_t items() const { return answers.size(); }
  std::span<double> values_of(std::size_t item) {
    return std::span(values).subspan(item * graph.score.size(), graph.score.size());
  }

  Graph graph;
  SmoothOptions options;
  Parameters parameters;
  std::vector<std::unique_ptr<Smoother>> workers;
  std::vector<double> values;
  std::vector<Faces> faces;
  std::vector<SmoothAnswer> answers;
  std::mutex busy;
};

template <class T, class Read>
Out<T> column(const Smoothed& smoothed, Read read) {
  std::vector<T> all;
  for (const auto& answer : smoothed.answers) all.push_back(static_cast<T>(read(answer)));
  return to_numpy(std::move(all));
}

struct Starts {
  explicit Starts(std::size_t most) : kept(most) {}
  SmoothStarts kept;
};

std::vector<SmoothStart> take_starts(Starts* warm, std::uint64_t structure, std::span<const std::int64_t> keys) {
  std::vector<SmoothStart> starts;
  if (warm)
    for (auto key : keys) starts.push_back(warm->kept.take(structure, key));
  return starts;
}

std::shared_ptr<Smoothed> smooth(const Graph& graph, InRows<double> scores, double strength, double tolerance,
                                 std::int64_t iterations, Threads threads, Starts* warm, In<std::int64_t> keys) {
  const Reading reading(&graph);
  const auto items = scores.shape(0), width = scores.shape(1);
  if (warm && keys.shape(0) != items) throw std::invalid_argument("expected a key for each item");
  auto smoothed = std::make_shared<Smoothed>(graph, SmoothOptions{strength, tolerance, iterations}, items, threads);
  if (width != smoothed->parameters.variables() && width != smoothed->parameters.size())
    throw std::invalid_argument("expected a score for each variable, or for each parameter");
  unlocked([&] {
    const auto structure = warm ? solve::structure_of(graph) : 0;
    auto starts = take_starts(warm, structure, view(keys));
    learn::parallel_for(static_cast<int>(items), threads, [&](int item, int worker) {
      auto& smoother = smoothed->worker(worker);
      const auto i = static_cast<std::size_t>(item);
      smoother.set_scores({scores.data() + i * width, width});
      smoothed->answers[i] = smoother.solve(smoothed->values_of(i), smoothed->faces[i], warm ? &starts[i] : nullptr);
    });
    for (std::size_t i = 0; i < starts.size(); ++i) warm->kept.put(structure, view(keys)[i], std::move(starts[i]));
  });
  return smoothed;
}

// One item of each of several graphs; the scores of all are in one array.
std::vector<std::shared_ptr<Smoothed>> smooth_many(const std::vector<const Graph*>& graphs, In<double> scores, In<std::int64_t> begin,
                                                   double strength, double tolerance, std::int64_t iterations, Threads threads,
                                                   Starts* warm, In<std::int64_t> keys) {
  if (warm && keys.shape(0) != graphs.size()) throw std::invalid_argument("expected a key for each graph");
  if (begin.shape(0) != graphs.size() + 1) throw std::invalid_argument("expected the begin of each graph's scores, and the end");
  std::list<ReadClaim<Graph>> claims;
  std::vector<std::shared_ptr<Smoothed>> all(graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    claims.emplace_back(graphs[g]);
    const auto width = static_cast<std::size_t>(begin(g + 1) - begin(g));
    const Parameters parameters(*graphs[g]);
    if (begin(g) < 0 || begin(g + 1) < begin(g) || static_cast<std::size_t>(begin(g + 1)) > scores.shape(0) ||
        (width != parameters.variables() && width != parameters.size()))
      throw std::invalid_argument("expected a score for each variable, or for each parameter");
  }
  unlocked([&] {
    std::vector<SmoothStart> starts;  // taken and put in order, whatever thread works on them
    for (std::size_t g = 0; warm && g < graphs.size(); ++g)
      starts.push_back(warm->kept.take(solve::structure_of(*graphs[g]), keys(g)));
    learn::parallel_for(static_cast<int>(graphs.size()), threads, [&](int item, int) {
      const auto g = static_cast<std::size_t>(item);
      auto one = std::make_shared<Smoothed>(*graphs[g], SmoothOptions{strength, tolerance, iterations}, 1, 1);
      auto& smoother = one->worker(0);
      smoother.set_scores(view(scores).subspan(static_cast<std::size_t>(begin(g)), static_cast<std::size_t>(begin(g + 1) - begin(g))));
      one->answers[0] = smoother.solve(one->values_of(0), one->faces[0], warm ? &starts[g] : nullptr);
      all[g] = std::move(one);
    });
    for (std::size_t g = 0; g < starts.size(); ++g)
      warm->kept.put(solve::structure_of(*graphs[g]), keys(g), std::move(starts[g]));
  });
  return all;
}

// Of the graph's only factor, with the scores of each item by literal: configurations, weights, and where those of each
// item begin.
nb::tuple mixtures(const Graph& graph, InRows<double> scores, InRows<double> by_literal, double strength, Threads threads) {
  const Reading reading(&graph);
  const auto items = scores.shape(0), width = scores.shape(1), degree = by_literal.shape(1);
  const Parameters parameters(graph);
  if (graph.factors() != 1 || graph.literals.size() != degree || by_literal.shape(0) != items ||
      (width != parameters.variables() && width != parameters.size()))
    throw std::invalid_argument("expected a graph with one factor, and a score for each literal");
  std::vector<Mixture> all(items);
  std::vector<std::int8_t> configurations;
  std::vector<double> weights;
  std::vector<std::int64_t> begin{0};
  unlocked([&] {
    std::vector<std::unique_ptr<Graph>> workers(static_cast<std::size_t>(learn::usable_threads(threads)));
    learn::parallel_for(static_cast<int>(items), threads, [&](int item, int worker) {
      auto& mine = workers[static_cast<std::size_t>(worker)];
      if (!mine) mine = std::make_unique<Graph>(graph);
      const auto i = static_cast<std::size_t>(item);
      parameters.write({scores.data() + i * width, width}, *mine);
      all[i] = mix(mine->factor(0), {by_literal.data() + i * degree, degree}, strength);
    });
    for (const auto& one : all) {
      configurations.insert(configurations.end(), one.configurations.begin(), one.configurations.end());
      weights.insert(weights.end(), one.weights.begin(), one.weights.end());
      begin.push_back(static_cast<std::int64_t>(weights.size()));
    }
  });
  const auto count = weights.size();
  return nb::make_tuple(to_rows(std::move(configurations), count, degree), to_numpy(std::move(weights)), to_numpy(std::move(begin)));
}

nb::tuple pull_back(Smoothed& smoothed, InRows<double> cotangent, Threads threads) {
  const auto width = smoothed.parameters.size(), variables = smoothed.parameters.variables();
  if (cotangent.shape(0) != smoothed.items() || cotangent.shape(1) != variables)
    throw std::invalid_argument("expected a number for each value");
  std::vector<double> gradient(smoothed.items() * width), residual(smoothed.items());
  unlocked([&] {
    const std::lock_guard lock(smoothed.busy);
    const int most = std::min(threads.number, static_cast<int>(smoothed.workers.size()));
    learn::parallel_for(static_cast<int>(smoothed.items()), most, [&](int item, int worker) {
      const auto i = static_cast<std::size_t>(item);
      residual[i] = smoothed.worker(worker).pull_back(smoothed.faces[i], {cotangent.data() + i * variables, variables},
                                                      std::span(gradient).subspan(i * width, width));
    });
  });
  return nb::make_tuple(to_rows(std::move(gradient), smoothed.items(), width), to_numpy(std::move(residual)));
}

// The gradients of the objectives of a batch by all parameters; scores are those of the forward pass.
nb::ndarray<nb::numpy, double, nb::ndim<2>> expect(Smoothed& smoothed, InRows<double> scores) {
  const auto width = smoothed.parameters.size(), variables = smoothed.parameters.variables();
  if (scores.shape(0) != smoothed.items() || (scores.shape(1) != width && scores.shape(1) != variables))
    throw std::invalid_argument("expected the scores of the forward pass");
  std::vector<double> counts(smoothed.items() * width);
  unlocked([&] {
    const std::lock_guard lock(smoothed.busy);
    for (std::size_t i = 0; i < smoothed.items(); ++i)
      smoothed.worker(0).expect(smoothed.faces[i], {scores.data() + i * scores.shape(1), scores.shape(1)},
                                smoothed.values_of(i), std::span(counts).subspan(i * width, width));
  });
  return to_rows(std::move(counts), smoothed.items(), width);
}

// For rows of 0 and 1: how often each parameter counts, the first factor that forbids each, or -1, and the scores of
// oracles.
nb::tuple count_all(const Graph& graph, InRows<std::int8_t> assignments) {
  const Reading reading(&graph);
  const Parameters parameters(graph);
  const auto items = assignments.shape(0), variables = assignments.shape(1), width = parameters.size();
  if (variables != parameters.variables()) throw std::invalid_argument("expected a value for each variable");
  for (std::size_t i = 0; i < items * variables; ++i)
    if (assignments.data()[i] != 0 && assignments.data()[i] != 1) throw std::invalid_argument("expected zeros and ones");
  std::vector<double> counts(items * width);
  std::vector<std::int32_t> refused(items);
  std::vector<double> hidden(items);
  unlocked([&] {
    for (std::size_t i = 0; i < items; ++i) {
      const auto counted = count(graph, parameters, {assignments.data() + i * variables, variables},
                                 std::span(counts).subspan(i * width, width));
      refused[i] = counted.refused, hidden[i] = counted.hidden;
    }
  });
  return nb::make_tuple(to_rows(std::move(counts), items, width), to_numpy(std::move(refused)), to_numpy(std::move(hidden)));
}

// Log-partitions of a batch, and the expectation of each parameter; scores are those of all parameters.
nb::tuple sum_all(const Marginals& marginals, InRows<double> scores, Threads threads) {
  const auto items = scores.shape(0), width = marginals.parameters().size();
  if (scores.shape(1) != width) throw std::invalid_argument("expected a score for each parameter");
  std::vector<double> total(items), expected(items * width);
  unlocked([&] {
    learn::parallel_for(static_cast<int>(items), threads, [&](int item, int) {
      const auto i = static_cast<std::size_t>(item);
      total[i] = marginals.sum<double>({scores.data() + i * width, width}, std::span(expected).subspan(i * width, width));
    });
  });
  return nb::make_tuple(to_numpy(std::move(total)), to_rows(std::move(expected), items, width));
}

// How the expectations change when scores move along the directions: the Hessian times each.
nb::ndarray<nb::numpy, double, nb::ndim<2>> turn_all(const Marginals& marginals, InRows<double> scores,
                                                    InRows<double> directions, Threads threads) {
  const auto items = scores.shape(0), width = marginals.parameters().size();
  if (scores.shape(1) != width || directions.shape(0) != items || directions.shape(1) != width)
    throw std::invalid_argument("expected a score and a direction for each parameter");
  std::vector<double> rates(items * width);
  unlocked([&] {
    learn::parallel_for(static_cast<int>(items), threads, [&](int item, int) {
      const auto from = static_cast<std::size_t>(item) * width;
      std::vector<Dual> score(width), expected(width);
      for (std::size_t p = 0; p < width; ++p) score[p] = {scores.data()[from + p], directions.data()[from + p]};
      marginals.sum<Dual>(score, expected);
      for (std::size_t p = 0; p < width; ++p) rates[from + p] = expected[p].rate;
    });
  });
  return to_rows(std::move(rates), items, width);
}

}  // namespace

void register_diff(nb::module_& m) {
  nb::enum_<SmoothStatus>(m, "SmoothStatus")
      .value("CONVERGED", SmoothStatus::Converged)
      .value("STOPPED", SmoothStatus::Stopped)
      .value("INFEASIBLE", SmoothStatus::Infeasible);

  nb::class_<Starts>(m, "SmoothStarts", "Prices and active sets of examples, by key; the least recently used go first.")
      .def(nb::init<std::size_t>(), nb::arg("most"))
      .def("__len__", [](const Starts& starts) { return starts.kept.size(); })
      .def("clear", [](Starts& starts) { starts.kept.clear(); });

  nb::class_<Smoothed>(m, "Smoothed", "The smooth answers of a batch.")
      .def_prop_ro("values", [](const Smoothed& s) { return to_rows(std::vector(s.values), s.items(), s.parameters.variables()); }, kOwned)
      .def_prop_ro("status", [](const Smoothed& s) { return column<std::uint8_t>(s, [](const auto& a) { return a.status; }); }, kOwned)
      .def_prop_ro("objective", [](const Smoothed& s) { return column<double>(s, [](const auto& a) { return a.objective; }); }, kOwned)
      .def_prop_ro("gap", [](const Smoothed& s) { return column<double>(s, [](const auto& a) { return a.gap; }); }, kOwned)
      .def_prop_ro("residual", [](const Smoothed& s) { return column<double>(s, [](const auto& a) { return a.residual; }); }, kOwned)
      .def_prop_ro("iterations", [](const Smoothed& s) { return column<std::int64_t>(s, [](const auto& a) { return a.iterations; }); }, kOwned)
      .def("pull_back", &pull_back, nb::arg("cotangent"), nb::arg("threads") = 1,
           "The gradients by all parameters of the values weighted by the cotangents, and their residuals.")
      .def("expect", &expect, nb::arg("scores"), "The gradients of the objectives by all parameters.");

  m.def("smooth_many", &smooth_many, nb::arg("graphs"), nb::arg("scores"), nb::arg("begin"), nb::kw_only(),
        nb::arg("strength") = 1.0, nb::arg("tolerance") = 1e-8, nb::arg("iterations") = 10000, nb::arg("threads") = 1,
        nb::arg("warm") = nb::none(), nb::arg("keys"), "LP-SparseMAP of several graphs, each with a row of scores.");

  nb::class_<Marginals>(m, "Marginals", "Exact sums over all assignments of a graph.")
      .def("__init__",
           [](Marginals* self, const Graph& graph, std::size_t most_cells) {
             const Reading reading(&graph);
             unlocked([&] { new (self) Marginals(graph, most_cells); });
           },
           nb::arg("graph"), nb::arg("most_cells"))
      .def("sum", &sum_all, nb::arg("scores"), nb::arg("threads") = 1, "Log-partitions, and expectations of all parameters.")
      .def("turn", &turn_all, nb::arg("scores"), nb::arg("directions"), nb::arg("threads") = 1,
           "The derivatives of the expectations in a direction.");
  m.def("count", &count_all, nb::arg("graph"), nb::arg("assignments"),
        "How often each parameter counts in the score of each assignment, the first factor that forbids it, or -1, and the "
        "score that oracles add.");
  m.def("mixtures", &mixtures, nb::arg("graph"), nb::arg("scores"), nb::arg("by_literal"), nb::kw_only(),
        nb::arg("strength") = 1.0, nb::arg("threads") = 1,
        "The configurations that the smooth answer of a single factor is made of, their weights, and where those of each "
        "item begin.");
  m.def("alone",
        [](const Graph& graph, std::int32_t factor) {
          if (factor < 0 || factor >= graph.factors()) throw nb::index_error("no such factor");
          return alone(graph, factor);
        },
        nb::arg("graph"), nb::arg("factor"), "A graph of one factor, with a variable for each of its literals.");
  m.def("smooth", &smooth, nb::arg("graph"), nb::arg("scores"), nb::kw_only(), nb::arg("strength") = 1.0,
        nb::arg("tolerance") = 1e-8, nb::arg("iterations") = 10000, nb::arg("threads") = 1,
        nb::arg("warm") = nb::none(), nb::arg("keys"), "LP-SparseMAP of a batch: one row of scores for each item.");
}

}  // namespace treaty::bind
