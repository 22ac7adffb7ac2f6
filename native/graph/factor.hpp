// What every factor can do, whatever its kind: find its best point and project onto its polytope.
//
// All of this happens in literal space: a negated literal's flip is the caller's business. A structured factor pays
// for an oracle of its own at each call; a solver keeps one and calls it directly.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace treaty::graph {

// Scratch memory that is reused from factor to factor.
struct Workspace {
  std::vector<double> doubles;
  double* reserve(std::size_t n) {
    if (doubles.size() < n) doubles.resize(n);
    return doubles.data();
  }
};

const char* name_of(Kind kind);
bool is_structured(Kind kind);

// Throws GraphError unless the arguments make a factor of that kind.
void validate(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
              std::span<const std::int32_t> shape, std::int32_t variables);

// Maximizes slot_score . y plus the factor's own score over its polytope; writes y and returns the value,
// -inf when the polytope is empty. y is 0/1, but for one fractional entry a knapsack may have: its
// polytope is the relaxed one, {z in [0, 1]^n : cost . z <= capacity}.
double maximize(const FactorView& factor, std::span<const double> slot_score, std::span<double> y,
                Workspace& workspace);

// Replaces z by argmin over the polytope of 1/2 |z' - z|^2 - step * score(z'), where score is the
// factor's own. False, and z untouched, when the polytope is empty.
bool project(const FactorView& factor, std::span<double> z, double step, Workspace& workspace);

// Whether a 0/1 assignment of the slots is allowed, and the factor's own score for it (-inf if not).
double evaluate(const FactorView& factor, std::span<const std::int8_t> y);

// The oracle of a structured factor. It keeps spans into the view's data: the graph must outlive it.
std::unique_ptr<Oracle> make_oracle(const FactorView& factor);

}  // namespace treaty::graph
