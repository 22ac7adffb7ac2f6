// One graph, many scores: AD3 for each item of a batch, in threads.
#pragma once

#include <memory>
#include <vector>

#include "graph/parameters.hpp"
#include "solve/dual/drive.hpp"
#include "solve/dual/warm_starts.hpp"

namespace treaty::solve {

// Penalties that no optimum pays become hard constraints level by level, so an item has a start for each.
using BatchStart = std::vector<std::shared_ptr<const Ad3State>>;

// Answers of AD3 with scores of the variables, or of all parameters; the graph is a worker's own copy. A claim of an
// optimum is checked against objective and bound.
Outcome solve_item(Graph& graph, const graph::Parameters& parameters, std::span<const double> scores,
                   const Ad3Options& options, const Limits& limits, BatchStart* start);

}  // namespace treaty::solve
