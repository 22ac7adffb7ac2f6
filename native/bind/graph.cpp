#include "graph/graph.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <string>
#include <string_view>

#include "bind/bind.hpp"
#include "bind/in_use.hpp"
#include "graph/active_set.hpp"
#include "graph/factor.hpp"
#include "graph/factors.hpp"
#include "graph/parameters.hpp"
#include "graph/uai.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::graph;

std::int32_t checked_index(const Graph& graph, std::int32_t factor) {
  if (factor < 0 || factor >= graph.factors()) throw nb::index_error("no such factor");
  return factor;
}

// The factor, when one value per slot was given.
FactorView checked_factor(const Graph& graph, std::int32_t index, std::size_t values) {
  const FactorView factor = graph.factor(checked_index(graph, index));
  const std::string name = name_of(factor.kind);
  if (values != factor.literals.size())
    throw GraphError(name + ": expected one value for each of its " + std::to_string(factor.literals.size()) +
                     " literals, got " + std::to_string(values));
  return factor;
}

std::pair<double, Out<double>> maximize_factor(const Graph& graph, std::int32_t index, In<double> slot_score) {
  const Reading reading(&graph);
  const FactorView factor = checked_factor(graph, index, slot_score.shape(0));
  std::vector<double> y(slot_score.shape(0));
  Workspace workspace;
  const double value = maximize(factor, view(slot_score), y, workspace);
  return {value, to_numpy(std::move(y))};
}

Out<double> project_factor(const Graph& graph, std::int32_t index, In<double> z, double step) {
  const Reading reading(&graph);
  const FactorView factor = checked_factor(graph, index, z.shape(0));
  const auto given = view(z);
  std::vector<double> projected(given.begin(), given.end());
  Workspace workspace;
  if (!project(factor, projected, step, workspace))
    throw GraphError(std::string(name_of(factor.kind)) + ": no assignment of its literals is allowed");
  return to_numpy(std::move(projected));
}

// Several points, one after the other, each from the active set of the one before, as in a solver.
Out<double> project_in_turn(const Graph& graph, std::int32_t index, In<double> points, double step, std::size_t rounds) {
  const Reading reading(&graph);
  const auto degree = static_cast<std::size_t>(graph.factor(checked_index(graph, index)).degree());
  const auto given = view(points);
  if (degree == 0 || given.size() % degree != 0) throw GraphError("expected one value for each literal, at every point");
  const auto oracle = make_oracle(graph.factor(index));
  ActiveSet active;
  ActiveSetWorkspace workspace;
  std::vector<double> projected(given.size());
  for (std::size_t from = 0; from < given.size(); from += degree)
    if (!active.project(given.subspan(from, degree), step, *oracle, std::span(projected).subspan(from, degree), workspace, rounds))
      throw GraphError(std::string(name_of(graph.factor(index).kind)) + ": no assignment of its literals is allowed");
  return to_numpy(std::move(projected));
}

double evaluate_factor(const Graph& graph, std::int32_t index, In<std::int8_t> y) {
  const Reading reading(&graph);
  const FactorView factor = checked_factor(graph, index, y.shape(0));
  for (auto value : view(y))
    if (value != 0 && value != 1) throw GraphError("an assignment is made of zeros and ones");
  return evaluate(factor, view(y));
}

std::optional<std::pair<std::int64_t, std::int64_t>> first_invalid(const Graph& graph, InRows<double> scores) {
  const Parameters parameters(graph);
  const auto width = scores.shape(1);
  if (width != parameters.variables() && width != parameters.size())
    throw GraphError("expected a score for each variable, or for each parameter");
  for (std::size_t row = 0; row < scores.shape(0); ++row)
    if (const auto at = parameters.first_invalid({scores.data() + row * width, width}); at >= 0)
      return std::pair(static_cast<std::int64_t>(row), at);
  return std::nullopt;
}

// A graph, or what is wrong with the file.
struct UaiReading {
  std::optional<Graph> graph;
  std::string error, text;
  std::size_t offset = 0;
};

UaiReading read_uai_text(nb::bytes text, std::size_t most_free_states) {
  const std::string_view view(text.c_str(), text.size());
  return unlocked([&] {
    UaiReading reading;
    try {
      reading.graph = read_uai(view, most_free_states);
    } catch (const UaiError& error) {
      reading.error = error.what(), reading.text = error.text, reading.offset = error.offset;
    }
    return reading;
  });
}

// For solvers that are written in Python and read the graph bit by bit.
struct Hold {
  explicit Hold(const Graph* given) : graph(given) {}
  const Graph* graph;
  std::optional<ReadClaim<Graph>> claim;
};

}  // namespace

void register_graph(nb::module_& m) {
  nb::exception<GraphError>(m, "GraphError", PyExc_ValueError);

  nb::enum_<Kind> kinds(m, "Kind", "The kinds of factor.");
  for (int k = 0; k < Factors::size; ++k) kinds.value(name_of(static_cast<Kind>(k)), static_cast<Kind>(k));

  nb::class_<Graph>(m, "Graph", nb::type_slots(graph_slots), "Variables and factors in flat arrays.")
      .def(nb::init<>())
      .def("add_variables", [](Graph& g, In<double> scores) { return check_changeable(g), g.add_variables(view(scores)); }, nb::arg("scores"))
      .def("add_categorical", [](Graph& g, In<double> scores) { return check_changeable(g), g.add_categorical(view(scores)); }, nb::arg("scores"))
      .def("set_score", changing<Graph>(&Graph::set_score), nb::arg("variable"), nb::arg("score"))
      .def("fix", changing<Graph>(&Graph::fix), nb::arg("variable"), nb::arg("value"))
      .def("add",
           [](Graph& g, Kind kind, In<std::int32_t> literals, In<double> data, In<std::int32_t> shape) {
             check_changeable(g);
             if (kind == kind_of<Custom>) throw GraphError("custom: use add_custom");
             return g.add(kind, view(literals), view(data), view(shape));
           },
           nb::arg("kind"), nb::arg("literals"), nb::arg("data"), nb::arg("shape"))
      .def("copy", [](const Graph& g) { return Graph(g); }, "An independent copy; custom oracles are shared.")
      .def_prop_ro("variables", &Graph::variables)
      .def_prop_ro("factors", &Graph::factors)
      .def_prop_ro("scores", [](const Graph& g) { return copy(g.score); }, kOwned)
      .def_prop_ro("evidence", [](const Graph& g) { return copy(g.evidence); }, kOwned, "-1 free, 0 off, 1 on.")
      .def_prop_ro("categorical_first", [](const Graph& g) { return copy(g.categorical_first); }, kOwned)
      .def_prop_ro("categorical_size", [](const Graph& g) { return copy(g.categorical_size); }, kOwned)
      .def_prop_ro("kinds",
                   [](const Graph& g) {
                     std::vector<std::uint8_t> kinds(g.kind.size());
                     for (std::size_t f = 0; f < kinds.size(); ++f) kinds[f] = static_cast<std::uint8_t>(g.kind[f]);
                     return to_numpy(std::move(kinds));
                   },
                   kOwned)
      .def_prop_ro("literals", [](const Graph& g) { return copy(g.literals); }, kOwned)
      .def_prop_ro("literal_begin", [](const Graph& g) { return copy(g.literal_begin); }, kOwned)
      .def_prop_ro("data", [](const Graph& g) { return copy(g.data); }, kOwned)
      .def_prop_ro("data_begin", [](const Graph& g) { return copy(g.data_begin); }, kOwned)
      .def_prop_ro("shape", [](const Graph& g) { return copy(g.shape); }, kOwned)
      .def_prop_ro("shape_begin", [](const Graph& g) { return copy(g.shape_begin); }, kOwned)
      .def_ro("version", &Graph::version, "Grows with every change.")
      .def_prop_ro("parameters", [](const Graph& g) { return to_numpy(Parameters(g).read(g)); }, kOwned,
                   "The scores of variables, then those of factors.")
      .def_prop_ro("parameter_begin", [](const Graph& g) { return copy(Parameters(g).begin()); }, kOwned)
      .def("first_invalid", &first_invalid, nb::arg("scores"), "Where a score is not valid: (row, column), or None.")
      .def("set_parameters",
           [](Graph& g, In<double> scores) {
             check_changeable(g);
             const Parameters parameters(g);
             const auto given = view(scores);
             if ((given.size() != parameters.variables() && given.size() != parameters.size()) || parameters.first_invalid(given) >= 0)
               throw GraphError("expected a valid score for each variable, or for each parameter");
             parameters.write(given, g);
           },
           nb::arg("scores"))
      .def("kind_of", [](const Graph& g, std::int32_t f) { return g.kind[static_cast<std::size_t>(checked_index(g, f))]; }, nb::arg("factor"))
      .def("maximize", &maximize_factor, nb::arg("factor"), nb::arg("slot_score"),
           "The best value of a factor in its literals' terms, and a maximizer: (value, y).")
      .def("project_in_turn", &project_in_turn, nb::arg("factor"), nb::arg("points"), nb::arg("step") = 1.0,
           nb::arg("rounds") = ActiveSet::kExact,
           "As project, for several points in a row, each from the active set of the one before.")
      .def("project", &project_factor, nb::arg("factor"), nb::arg("z"), nb::arg("step") = 1.0,
           "argmin 1/2 |z' - z|^2 - step * score(z') over the factor's polytope, in its literals' terms.")
      .def("evaluate", &evaluate_factor, nb::arg("factor"), nb::arg("y"),
           "A factor's own score for a 0/1 assignment of its literals; -inf where it is not allowed.");

  nb::class_<UaiReading>(m, "UaiReading", "What was read from a UAI file: a graph, or an error.")
      .def_prop_ro("graph", [](const UaiReading& reading) { return reading.graph; }, "None if there is an error.")
      .def_ro("error", &UaiReading::error)
      .def_ro("text", &UaiReading::text, "What was found in place of what was expected.")
      .def_ro("offset", &UaiReading::offset, "Where, in bytes.");
  m.def("read_uai", &read_uai_text, nb::arg("text"), nb::arg("most_free_states"));

  nb::class_<Hold>(m, "Hold", "A context manager: nobody may change the graph within.")
      .def(nb::init<const Graph*>(), nb::arg("graph"), nb::keep_alive<1, 2>())
      .def("__enter__", [](Hold& self) { self.claim.emplace(self.graph); })
      .def("__exit__", [](Hold& self, nb::object, nb::object, nb::object) { self.claim.reset(); },
           nb::arg("type").none(), nb::arg("error").none(), nb::arg("traceback").none());
}

}  // namespace treaty::bind
