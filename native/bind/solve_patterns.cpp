#include <algorithm>
#include <limits>

#include "bind/bind.hpp"
#include "solve/patterns/cut_move.hpp"
#include "solve/patterns/cut_slave.hpp"
#include "solve/patterns/max_flow.hpp"
#include "solve/patterns/pattern_problem.hpp"
#include "solve/search/primal_search.hpp"
#include "solve/patterns/tree_cut.hpp"
#include "solve/patterns/tree_slave.hpp"
#include "solve/search/triplets.hpp"

namespace treaty::bind {
namespace {

using namespace treaty::graph;
using namespace treaty::solve;

std::span<const std::int32_t> checked_labels(const PatternProblem& problem, const In<std::int32_t>& label) {
  const auto labels = view(label);
  if (labels.size() != static_cast<std::size_t>(problem.vertices())) throw GraphError("expected one label per vertex");
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    if (labels[v] < 0 || labels[v] >= problem.labels(v)) throw GraphError("no such label");
  return labels;
}

MaxFlow make_max_flow(std::int32_t nodes, In<std::int32_t> tail, In<std::int32_t> head, In<double> forward,
                      In<double> backward) {
  const auto count = tail.shape(0);
  if (head.shape(0) != count || forward.shape(0) != count || backward.shape(0) != count)
    throw GraphError("expected a tail, a head and two capacities for each arc");
  std::vector<MaxFlow::Arc> arcs;
  for (std::size_t a = 0; a < count; ++a) {
    const MaxFlow::Arc arc{view(tail)[a], view(head)[a], view(forward)[a], view(backward)[a]};
    if (std::min(arc.tail, arc.head) < 0 || std::max(arc.tail, arc.head) >= nodes || arc.tail == arc.head)
      throw GraphError("an arc joins two different nodes");
    if (!(std::min(arc.forward, arc.backward) >= 0.0)) throw GraphError("capacities are not negative");
    arcs.push_back(arc);
  }
  return MaxFlow(nodes, arcs);
}

double solve_flow(MaxFlow& flow, In<double> terminals, bool cold) {
  if (terminals.shape(0) != static_cast<std::size_t>(flow.nodes())) throw GraphError("expected one terminal per node");
  for (std::int32_t i = 0; i < flow.nodes(); ++i)
    if (view(terminals)[i] != flow.terminal(i)) flow.set_terminal(i, view(terminals)[i]);
  return flow.solve(cold);
}

std::vector<std::int8_t> sides_of(const MaxFlow& flow) {
  std::vector<std::int8_t> sides(flow.nodes());
  for (std::int32_t i = 0; i < flow.nodes(); ++i)
    sides[i] = flow.side(i) == MaxFlow::Side::Source ? 1 : flow.side(i) == MaxFlow::Side::Sink ? 0 : -1;
  return sides;
}

// A tree slave by itself: its value and labels for scores of the states.
std::pair<double, Out<std::int32_t>> best_labels(const PatternProblem& forest, In<double> scores) {
  if (scores.shape(0) != static_cast<std::size_t>(forest.states())) throw GraphError("expected one score per state");
  std::vector<std::int32_t> label(forest.vertices());
  const double value = TreeSlave(forest).solve(view(scores), label);
  return {value, to_numpy(std::move(label))};
}

// One move of a forest of vertices to their best labels.
void move_trees(Labeling& labeling, In<std::int32_t> region, double price, std::uint64_t seed) {
  for (auto v : view(region))
    if (v < 0 || v >= labeling.vertices()) throw GraphError("no such vertex");
  SplitMix random(seed);
  std::vector<TreeMove::Move> journal;
  std::int64_t budget = 0;
  TreeMove(labeling).run(view(region), price, random, journal, budget);
}

// Bounds of the dense dual, after each round of sweeps; from the round on in which triplets join them, with those.
std::vector<double> dense_bounds(const PatternProblem& problem, int rounds, int triplets_from) {
  const auto tidied = tidy(problem);
  DenseDual dual(tidied);
  Triplets triplets(tidied, dual);
  std::vector<double> bounds;
  for (int i = 0; i < rounds; ++i) {
    if (i >= triplets_from) triplets.add(std::numeric_limits<std::int64_t>::max());
    for (bool forward : {true, false}) {
      triplets.sweep(forward);
      if (!dual.sweep(forward)) return {-kInfinity};
    }
    bounds.push_back(dual.bound() + dual.error() + (triplets.empty() ? 0.0 : triplets.bound() + triplets.error()));
  }
  return bounds;
}

}  // namespace

void register_solve_patterns(nb::module_& m) {
  nb::class_<PatternProblem>(m, "PatternProblem", "Labels of vertices, scored by tables of pairs and sparse patterns.")
      .def_prop_ro("vertices", &PatternProblem::vertices)
      .def_prop_ro("first", [](const PatternProblem& p) { return copy(p.first); }, kOwned)
      .def_prop_ro("state_scores", [](const PatternProblem& p) { return copy(p.state_score); }, kOwned)
      .def_prop_ro("edges",
                   [](const PatternProblem& p) {
                     std::vector<std::pair<std::int32_t, std::int32_t>> ends;
                     for (const auto& edge : p.edges) ends.emplace_back(edge.u, edge.v);
                     return ends;
                   })
      .def_prop_ro("cells", [](const PatternProblem& p) { return copy(p.cells); }, kOwned,
                   "All tables, in the order of the edges.")
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

  nb::class_<TreeCut>(m, "TreeCut", "A forest and a supermodular quadratic function, tied by links.")
      .def(nb::init<const PatternProblem&, CutStyle>(), nb::arg("problem"), nb::arg("style"))
      .def_prop_ro("forest", [](const TreeCut& t) -> const PatternProblem& { return t.forest; },
                   nb::rv_policy::reference_internal)
      .def_prop_ro("links",
                   [](const TreeCut& t) {
                     std::vector<std::pair<std::int32_t, bool>> links;
                     for (const auto& link : t.links) links.emplace_back(link.state, link.complement);
                     return links;
                   }, "The state that each node is tied to, and whether to its complement.")
      .def_prop_ro("start", [](const TreeCut& t) { return copy(t.start); }, kOwned)
      .def_prop_ro("linear", [](const TreeCut& t) { return copy(t.linear); }, kOwned)
      .def_prop_ro("pairs",
                   [](const TreeCut& t) {
                     std::vector<std::pair<std::int32_t, std::int32_t>> ends;
                     for (const auto& pair : t.pairs) ends.emplace_back(pair.i, pair.j);
                     return ends;
                   })
      .def_prop_ro("weights",
                   [](const TreeCut& t) {
                     std::vector<double> weights;
                     for (const auto& pair : t.pairs) weights.push_back(pair.weight);
                     return to_numpy(std::move(weights));
                   }, kOwned)
      .def_ro("constant", &TreeCut::constant);

  m.def("best_labels", &best_labels, nb::arg("forest"), nb::arg("scores"));

  nb::class_<Labeling>(m, "Labeling", "Labels with what every other label would be worth.")
      .def(nb::init<const PatternProblem&>(), nb::arg("problem"), nb::keep_alive<1, 2>())
      .def("move",
           [](Labeling& self, std::int32_t v, std::int32_t to) {
             if (v < 0 || v >= self.vertices() || to < 0 || to >= self.labels(v)) throw GraphError("no such label");
             self.move(v, to);
           },
           nb::arg("vertex"), nb::arg("label"))
      .def("move_trees", &move_trees, nb::arg("region"), nb::arg("price"), nb::arg("seed"))
      .def_prop_ro("score", &Labeling::score)
      .def_prop_ro("breaches", &Labeling::breaches)
      .def_prop_ro("prohibitive", &Labeling::prohibitive)
      .def_prop_ro("label",
                   [](const Labeling& self) {
                     return to_numpy(std::vector<std::int32_t>(self.label().begin(), self.label().end()));
                   },
                   kOwned)
      .def("value", [](const Labeling& self, std::size_t state) { return self.values().at(state); }, nb::arg("state"))
      .def("breach", [](const Labeling& self, std::size_t state) { return self.all_breaches().at(state); },
           nb::arg("state"));

  nb::class_<PrimalSearch>(m, "PrimalSearch", "An anytime search for good labelings.")
      .def(nb::init<const PatternProblem&, std::uint64_t>(), nb::arg("problem"), nb::arg("seed") = 1,
           nb::keep_alive<1, 2>())
      .def("offer", [](PrimalSearch& self, In<std::int32_t> label) { return self.offer(view(label)); }, nb::arg("label"))
      .def("run", [](PrimalSearch& self, std::int64_t budget) { return unlocked([&] { return self.run(budget); }); },
           nb::arg("budget"))
      .def_prop_ro("objective", &PrimalSearch::objective)
      .def_prop_ro("best", [](const PrimalSearch& self) { return copy(self.best()); }, kOwned)
      .def_prop_ro("spent", &PrimalSearch::spent);

  nb::class_<MaxFlow>(m, "MaxFlow", "Maximizes sum t_i x_i - sum c_ij x_i (1 - x_j) by minimum cuts.")
      .def("__init__",
           [](MaxFlow* self, std::int32_t nodes, In<std::int32_t> tail, In<std::int32_t> head, In<double> forward,
              In<double> backward) { new (self) MaxFlow(make_max_flow(nodes, tail, head, forward, backward)); },
           nb::arg("nodes"), nb::arg("tail"), nb::arg("head"), nb::arg("forward"), nb::arg("backward"))
      .def("solve", &solve_flow, nb::arg("terminals"), nb::arg("cold") = false)
      .def_prop_ro("sides", [](const MaxFlow& flow) { return to_numpy(sides_of(flow)); }, kOwned,
                   "1 on the source's side, 0 on the sink's, -1 free.");

  m.def(
      "cut_move",
      [](const PatternProblem& problem, In<std::int32_t> label, In<std::int32_t> other) {
        Labeling labeling(problem);
        labeling.set(view(label));
        CutMove move(problem, labeling);
        auto taken = move.run(view(other));
        return std::pair(std::move(taken), move.share());
      },
      nb::arg("problem"), nb::arg("label"), nb::arg("other"),
      "Vertices that take the label of another labeling, and the share of pairs that the cut got right.");
  m.def("dense_bounds", &dense_bounds, nb::arg("problem"), nb::arg("rounds"), nb::arg("triplets_from"),
        "Bounds of a problem without patterns after each round of sweeps over vertices and, later, over triplets.");
}

}  // namespace treaty::bind
