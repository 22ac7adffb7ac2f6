// An instance as a pattern problem, for the decoders of native/solve.
#pragma once

#include "label/scores.hpp"
#include "solve/patterns/pattern_problem.hpp"

namespace treaty::label {

solve::PatternProblem problem_of(const Scores& scores);
graph::Graph graph_of(const Model& model, const Bound& bound, std::int32_t instance, const Given& given = {});

}  // namespace treaty::label
