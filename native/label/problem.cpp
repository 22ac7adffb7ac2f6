#include "label/problem.hpp"

namespace treaty::label {

using solve::PatternProblem;

PatternProblem problem_of(const Scores& scores) {
  PatternProblem problem;
  for (std::int32_t v = 0; v < scores.vertices; ++v)
    problem.add_vertex({scores.state_of(v), static_cast<std::size_t>(scores.labels)});
  problem.cells = scores.cells;
  for (const auto& e : scores.edges)
    problem.edges.push_back({e.u, e.v, static_cast<std::int64_t>(scores.cells_of_table()) * e.table});
  problem.pattern_begin = scores.pattern_begin;
  problem.pattern_states = scores.pattern;
  problem.pattern_weight = scores.weight;
  return problem;
}

graph::Graph graph_of(const Model& model, const Bound& bound, std::int32_t instance, const Given& given) {
  bound.check_instances({&instance, 1});
  check_given(model, bound, given);
  Scores scores;
  score(model, bound, instance, given, scores);
  return to_graph(problem_of(scores));
}

}  // namespace treaty::label
