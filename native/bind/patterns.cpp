#include "bind/bind.hpp"
#include "solve/pattern_problem.hpp"

namespace treaty::bind {
namespace {

template <class T>
Out<T> copy(const std::vector<T>& values) {
  return to_numpy(std::vector<T>(values));
}

std::span<const std::int32_t> checked_labels(const PatternProblem& problem, const In<std::int32_t>& label) {
  const auto labels = view(label);
  if (labels.size() != static_cast<std::size_t>(problem.vertices())) throw GraphError("expected one label per vertex");
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    if (labels[v] < 0 || labels[v] >= problem.labels(v)) throw GraphError("no such label");
  return labels;
}

}  // namespace

void register_patterns(nb::module_& m) {
  nb::class_<PatternProblem>(m, "PatternProblem", "Vertices with labels, scored by tables of pairs and sparse patterns.")
      .def_prop_ro("vertices", &PatternProblem::vertices)
      .def_prop_ro("first", [](const PatternProblem& p) { return copy(p.first); }, kOwned)
      .def_prop_ro("state_scores", [](const PatternProblem& p) { return copy(p.state_score); }, kOwned)
      .def_prop_ro("edges",
                   [](const PatternProblem& p) {
                     std::vector<std::pair<std::int32_t, std::int32_t>> ends;
                     for (const auto& edge : p.edges) ends.emplace_back(edge.u, edge.v);
                     return ends;
                   })
      .def_prop_ro("cells", [](const PatternProblem& p) { return copy(p.cells); }, kOwned, "All tables, in the order of the edges.")
      .def_prop_ro("pattern_begin", [](const PatternProblem& p) { return copy(p.pattern_begin); }, kOwned)
      .def_prop_ro("pattern_states", [](const PatternProblem& p) { return copy(p.pattern_states); }, kOwned)
      .def_prop_ro("pattern_weights", [](const PatternProblem& p) { return copy(p.pattern_weight); }, kOwned)
      .def("score", [](const PatternProblem& p, In<std::int32_t> label) { return p.score(checked_labels(p, label)); },
           nb::arg("label"))
      .def("graph", [](const PatternProblem& p) { return to_graph(p); });

  nb::class_<PatternGraph>(m, "PatternGraph", "A pattern problem read off a graph, and the way back.")
      .def(nb::init<const Graph&>(), nb::arg("graph"))
      .def_prop_ro("problem", [](const PatternGraph& g) -> const PatternProblem& { return g.problem; },
                   nb::rv_policy::reference_internal)
      .def("values", [](const PatternGraph& g, In<std::int32_t> label) {
             return to_numpy(g.values(checked_labels(g.problem, label)));
           }, nb::arg("label"), "The values of the graph's variables.");
}

}  // namespace treaty::bind
