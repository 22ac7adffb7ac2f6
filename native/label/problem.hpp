// An instance as a factor graph, for the solvers of native/solve and for users who add constraints of their own.
#pragma once

#include "graph/graph.hpp"
#include "label/scores.hpp"

namespace treaty::label {

// Vertices are categorical variables in their order; pairs are tables; a larger pattern is the AND of its labels with
// a score of its own. Labels that are forbidden are fixed off.
Graph graph_of(const Scores& scores);

}  // namespace treaty::label
