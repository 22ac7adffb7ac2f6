#include "graph/categoricals.hpp"

#include "graph/factors.hpp"

namespace treaty::graph {

std::vector<std::int32_t> states_of(const Graph& graph, std::int32_t categorical) {
  const auto c = static_cast<std::size_t>(categorical);
  std::vector<std::int32_t> states(static_cast<std::size_t>(graph.categorical_size[c]));
  for (std::size_t k = 0; k < states.size(); ++k)
    states[k] = 2 * (graph.categorical_first[c] + static_cast<std::int32_t>(k));
  return states;
}

std::vector<std::int32_t> uncovered_categoricals(const Graph& graph) {
  std::vector<std::int32_t> size_at(static_cast<std::size_t>(graph.variables()), 0);
  for (std::size_t c = 0; c < graph.categorical_first.size(); ++c)
    size_at[graph.categorical_first[c]] = graph.categorical_size[c];
  for (std::int32_t f = 0; f < graph.factors(); ++f) {
    if (!visit(graph.kind[f], [](auto factor) { return factor.holds_states; })) continue;
    for_each_variable(graph.factor(f), [&](auto states) {
      const auto first = states[0], size = static_cast<std::int32_t>(states.size());
      bool whole = size_at[first >> 1] == size && !(first & 1);
      for (std::int32_t k = 0; k < size && whole; ++k) whole = states[k] == first + 2 * k;
      if (whole) size_at[first >> 1] = 0;
    });
  }
  std::vector<std::int32_t> uncovered;
  for (std::size_t c = 0; c < graph.categorical_first.size(); ++c)
    if (size_at[graph.categorical_first[c]] != 0) uncovered.push_back(static_cast<std::int32_t>(c));
  return uncovered;
}

}  // namespace treaty::graph
