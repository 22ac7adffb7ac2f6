// Branch and bound on soft arc consistency (solve/search/consistency.hpp): many cheap nodes, where tables forbid or punish much.
#pragma once

#include <optional>

#include "graph/graph.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

// Depth first in bursts, with the best bound first between them (Allouche et al. 2015). Proves the optimum, or stops at
// a limit with a true gap; `limits.iterations` limits nodes, the outcome's count bursts. After a share of the limits (`patience`) it gives up if the
// gap has hardly shrunk. Nothing if the graph has other factors than tables and patterns, or tables that are too large.
std::optional<Outcome> solve_consistently(const graph::Graph& graph, const Limits& limits, double patience = 1.0);

}  // namespace treaty::solve
