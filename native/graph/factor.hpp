// The operations of every kind of factor: find its best point and project onto its polytope.
//
// All operations are in terms of literals; the caller flips negated ones. Each call on a structured factor makes an
// oracle; a solver keeps one and calls it directly.
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

// Throws GraphError unless the arguments are valid for a factor of that kind.
void validate(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
              std::span<const std::int32_t> shape, std::int32_t variables, double largest);

// Maximizes slot_score . y plus the factor's own score over its polytope; writes y and returns the value, -inf if the
// polytope is empty. y is 0/1, except for one fractional entry of a knapsack, whose polytope is the relaxed one: {z in
// [0, 1]^n : cost . z <= capacity}.
double maximize(const FactorView& factor, std::span<const double> slot_score, std::span<double> y,
                Workspace& workspace);

// Replaces z by argmin over the polytope of 1/2 |z' - z|^2 - step * score(z'), where score is the factor's own. Returns
// false, with z unchanged, if the polytope is empty.
bool project(const FactorView& factor, std::span<double> z, double step, Workspace& workspace);

// Whether a 0/1 assignment of the slots is allowed, and the factor's own score for it (-inf if not).
double evaluate(const FactorView& factor, std::span<const std::int8_t> y);

// The oracle of a structured factor. It keeps spans into the view's data: the graph must outlive it.
std::unique_ptr<Oracle> make_oracle(const FactorView& factor);

}  // namespace treaty::graph
