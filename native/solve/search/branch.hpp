// Exact search: branch and bound on AD3's bounds (Das, Martins & Smith 2012), best first with plunging.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/dual/ad3.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

// A box of a search: what was decided so far, as 2 * variable + value, and what it promises at most.
struct Box {
  double bound = kInfinity;
  std::vector<std::int32_t> decisions;
};

// A share of the boxes of a search, whose others are searched elsewhere. A search begins with them, and leaves those
// that are still open in their place.
struct Share {
  std::vector<Box> boxes{Box{}};  // at first the whole
  std::vector<double> known;      // an answer from elsewhere; empty if there is none
  double pruned = -kInfinity;     // no box that was closed held more than this
};

// `limits.iterations` counts nodes. Without a share, the whole is searched.
Outcome branch_and_bound(const Graph& graph, Ad3& solver, const Limits& limits, const DualSolver::Search& search,
                         Share* share = nullptr);

}  // namespace treaty::solve
