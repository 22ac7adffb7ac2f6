// From a user's graph to an outcome in its own variables: prepare, solve, expand.
#pragma once

#include <memory>
#include <optional>

#include "solve/dual/ad3.hpp"
#include "solve/search/branch.hpp"
#include "solve/presolve/prepare.hpp"
#include "solve/solver.hpp"
#include "solve/dual/subgradient.hpp"

namespace treaty::solve {

// `warm` may be empty; it is replaced by what the next run can start from.
Outcome solve_ad3(const Graph& graph, const Ad3Options& options, const Limits& limits,
                  std::shared_ptr<const Ad3State>& warm);

Outcome solve_subgradient(const Graph& graph, const SubgradientOptions& options, const Limits& limits);

// Proves the optimum, or stops at a limit with a true gap; `limits.iterations` counts nodes. `sliced` is what
// has_narrow_slices said, if it was asked.
Outcome solve_exact(const Graph& graph, const Ad3Options& options, const Limits& limits, std::optional<bool> sliced = {});

// Searches a share of the boxes by AD3's bounds. Decisions are those of the prepared graph, the same on every machine;
// `share.boxes[i].bound` are in its scale, and `bounds` says what they are in the graph's own.
Outcome search_share(const Graph& graph, const Ad3Options& options, const Limits& limits, Share& share,
                     std::vector<double>& bounds);

// An assignment near a relaxed point that satisfies every factor, polished by local search; empty if none is found.
std::vector<double> round_relaxed(const Graph& graph, std::span<const double> relaxed);

}  // namespace treaty::solve
