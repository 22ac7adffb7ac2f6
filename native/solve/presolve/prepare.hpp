// A graph made ready for the solvers: the same problem with fewer variables and fewer kinds of factors.
//
// - What follows from the evidence is fixed and substituted.
// - Two literals that must be equal become one (a categorical variable with two states is one binary one).
// - Outputs of OR and AND that no other factor touches disappear into a Reward, which has a closed form.
// - Tables of one variable become scores, tables of two binary variables scores and a Reward or clauses.
// - XorWithOutput and AndWithOutput are written as ExactlyOne and OrWithOutput of negated literals.
// - Scores are scaled by a power of two, unless a user's own factor has scores nobody can scale.
// None of this changes the local polytope as seen from the variables that remain, so a relaxation's value is
// that of the graph itself. The shape of the result depends on the graph's structure, never on its scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace treaty::solve {

using graph::Graph, graph::kInfinity;

struct Prepared {
  explicit Prepared(const Graph& source);

  static constexpr std::int32_t kCategorical = -(1 << 30);

  bool infeasible = false;
  // The source's objective is graph's / scale + constant. The scale is a power of two that brings the largest score
  // near one, so that neither huge nor tiny scores lose anything.
  double constant = 0.0, scale = 1.0;
  double outside(double value) const { return value / scale + constant; }
  Graph graph;  // no categoricals; evidence only on variables of structured factors
  // Factor of `graph` -> factor of the source, or kCategorical plus a categorical variable; ascending.
  std::vector<std::int32_t> origin;

  // Values of the source's variables from values of `graph`'s (0/1, or relaxed ones).
  std::vector<double> expand(std::span<const double> values) const;
  // The other way round.
  std::vector<double> reduce(std::span<const double> values) const;

 private:
  friend class Preparation;
  struct Folded {  // an output that became a Reward: the OR of these literals
    std::int32_t variable;
    std::vector<std::int32_t> inputs;
    double score;
  };
  std::vector<std::int32_t> literal_of_;  // source variable -> literal of `graph`, or Remains::kOff or kOn
  std::vector<Folded> folded_;
};

}  // namespace treaty::solve
