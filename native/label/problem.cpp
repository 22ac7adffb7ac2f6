#include "label/problem.hpp"

#include <algorithm>

namespace treaty::label {
namespace {

std::vector<std::int32_t> literals_of(std::span<const std::int32_t> states, bool negated) {
  std::vector<std::int32_t> literals;
  for (auto state : states) literals.push_back(2 * state + negated);
  return literals;
}

void add_vertices(Graph& graph, const Scores& scores) {
  std::vector<double> states(static_cast<std::size_t>(scores.labels));
  for (std::int32_t v = 0; v < scores.vertices; ++v) {
    const auto score = [&](std::int32_t a) { return scores.state_of(v)[a]; };
    for (std::int32_t a = 0; a < scores.labels; ++a) states[a] = score(a) == kForbidden ? 0.0 : score(a);
    const auto first = graph.add_categorical(states);
    for (std::int32_t a = 0; a < scores.labels; ++a)
      if (score(a) == kForbidden) graph.fix(first + a, 0);
  }
}

void add_edges(Graph& graph, const Scores& scores) {
  const std::int32_t shape[] = {scores.labels, scores.labels};
  std::vector<std::int32_t> literals(2 * static_cast<std::size_t>(scores.labels));
  for (const auto& e : scores.edges) {
    for (std::int32_t a = 0; a < scores.labels; ++a) {
      literals[a] = 2 * (e.u * scores.labels + a);
      literals[scores.labels + a] = 2 * (e.v * scores.labels + a);
    }
    graph.add(treaty::Kind::Table, literals, {scores.table(e.table), scores.cells_of_table()}, shape);
  }
}

}  // namespace

Graph graph_of(const Scores& scores) {
  Graph graph;
  add_vertices(graph, scores);
  add_edges(graph, scores);
  for (std::int32_t p = 0; p < scores.larger(); ++p) {
    auto literals = literals_of(scores.larger(p), scores.weight[p] == kForbidden);
    if (scores.weight[p] == kForbidden) {
      graph.add(treaty::Kind::AtLeastOne, literals, {}, {});  // one of them is off
    } else {
      literals.push_back(2 * graph.add_variables({&scores.weight[p], 1}));
      graph.add(treaty::Kind::AndWithOutput, literals, {}, {});
    }
  }
  return graph;
}

}  // namespace treaty::label
