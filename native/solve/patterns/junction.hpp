// Dual decomposition with slaves of bounded tree-width, and branch and bound on it.
//
// The graph is cut into slices of a few breadth-first layers each, neighbors sharing a layer (Baker 1994): every
// potential lies inside a slice, and every slice is solved exactly by bucket elimination. The slices must agree on
// the layers they share: prices on the copies' labels, found by the bundle method, see to it. That is far tighter
// than the local polytope where cycles are frustrated, and needs few prices.
#pragma once

#include <cstddef>

#include "solve/patterns/pattern_problem.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

struct JunctionOptions {
  std::size_t table_cells = std::size_t{1} << 14;  // of one bucket at most: wider slices are split
};

Outcome solve_junction(const Graph& graph, const JunctionOptions& options, const Limits& limits);
// Whether the graph can be cut into slices that are all solved exactly.
bool has_narrow_slices(const Graph& graph, const JunctionOptions& options);

}  // namespace treaty::solve
