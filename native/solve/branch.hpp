// Exact search: branch and bound on AD3's bounds (Das, Martins & Smith 2012), best first with plunging.
#pragma once

#include "solve/ad3.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

// `limits.iterations` counts nodes.
Outcome branch_and_bound(const Graph& graph, Ad3& solver, const Limits& limits, const DualSolver::Search& search);

}  // namespace treaty::solve
