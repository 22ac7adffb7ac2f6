// Penalties that no optimum pays become hard constraints.
//
// A score of -1e12 beside scores near 1 means "forbidden". As a number it costs the other scores their digits, and the
// dual methods their convergence. Here the dominating losses of a graph are found: what an assignment loses when a
// variable takes its worse value, a table one of its worse cells, or a negative reward is paid. A level is a set of
// losses, each many times larger than all remaining ones together; its graph forbids them.
//
// Proof: `limit` is the sum of all maxima minus the smallest loss of the level. An assignment that pays one of them
// scores at most `limit`. If the level's graph has an answer of at least that score, its optimum is the optimum, and
// its bound is a bound of the source.
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace treaty::solve {

using graph::Graph;

struct Hardened {
  Graph graph;            // same variables, same factors by number
  double constant = 0.0;  // the source's objective minus the graph's
  double limit = 0.0;     // no assignment that the graph excludes scores more
};

// The sum of the maxima of all variables and factors: no assignment scores more. Users' own factors are asked for their
// best scores; the sum is infinite if that takes long. This is the bound of a solver that was stopped before it had one.
double sum_of_maxima(const Graph& graph);

// The levels of a graph, the one with the most constraints first. Empty for ordinary scores.
std::vector<Hardened> harden(const Graph& graph);

}  // namespace treaty::solve
