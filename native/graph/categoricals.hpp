// Categorical variables: exactly one of their states is on, whether a factor says so or not.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"

namespace treaty::graph {

std::vector<std::int32_t> states_of(const Graph& graph, std::int32_t categorical);

// Those of which no table or sequence over all states implies that one state is on.
std::vector<std::int32_t> uncovered_categoricals(const Graph& graph);

}  // namespace treaty::graph
