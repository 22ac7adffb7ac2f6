// The members of a kind of factor: a struct of static members in its own header, listed in graph/factors.hpp. All are
// in terms of the factor's literals; callers flip negated ones.
//
//   name                     its name in Python and in messages
//   check(arguments)         throws GraphError if literals, data or shape are invalid
//   imply(factor, rows)      adds rows that hold in all its configurations, not necessarily all such rows
//   equate(factor, facts)    records literals that must be equal; returns false on a contradiction
//   leave(factor, remains)   writes what is left of it after propagation of the fixed literals
//
// A factor with a closed form (graph/closed_form.hpp) also has the kernels of the solvers' inner loops:
//
//   maximize(factor, score, n, y, scratch)     maximizes score . y plus the factor's own score over its polytope;
//                                              writes y and returns the value, -inf if the polytope is empty
//   best(factor, score, n)                     only that value; optional, if it is cheaper
//   project(factor, z, n, penalty, scratch)    replaces z by argmin over the polytope of
//                                              1/2 |z' - z|^2 - own score(z') / penalty; false if it is empty
//   evaluate(factor, y)                        its own score for 0/1 values, -inf if they are not allowed
//   relaxed_score(factor, z, n)                its own score for a point of the polytope; optional
//
// with room for 4 n doubles in `scratch`. A structured factor has instead
//
//   oracle(factor)           its maximizer, called through a virtual method
//   use(factor, on, see)     calls see(i) for each of its data that the score of a configuration adds up
//
// and a closed form also has
//
//   face(factor, a, z, n, penalty, face)       the Jacobian of its projection z of a (graph/closed_form.hpp)
#pragma once

#include <algorithm>
#include <memory>

#include "graph/arguments.hpp"
#include "graph/facts.hpp"
#include "graph/graph.hpp"
#include "graph/remains.hpp"
#include "graph/rows.hpp"

namespace treaty::graph {

struct Factor {
  static constexpr bool structured = false;
  static constexpr bool data_are_scores = true;  // rather than costs
  static constexpr bool hides_scores = false;    // they are in its oracle
  static constexpr bool may_forbid = false;      // a datum of -inf forbids what it scores
  static constexpr bool holds_states = false;    // one state of each variable is on; shape = cardinalities
  static constexpr bool keeps_fixed = false;     // fixed literals are kept as evidence
  static constexpr bool rounded_whole = false;   // propagation is too weak to round literal by literal

  static void imply(const FactorView&, Rows&) {}
  static bool equate(const FactorView&, Facts&) { return true; }
  // The least its own score may be.
  static double least_score(const FactorView& factor) {
    return lowest(factor) * static_cast<double>(factor.data.size());
  }

 protected:
  static double lowest(const FactorView& factor) {
    double least = 0.0;
    for (double score : factor.data)
      if (score != -kInfinity) least = std::min(least, score);
    return least;
  }
};

struct Structured : Factor {
  static constexpr bool structured = true;
  static constexpr bool keeps_fixed = true;
  static void leave(const FactorView& factor, Remains& remains) { remains.copy(factor); }
  template <class See>
  static void use(const FactorView&, std::span<const std::int32_t>, See) {}
};

// Calls see(states) for the states of each variable.
template <class See>
void for_each_variable(const FactorView& factor, See see) {
  std::size_t first = 0;
  for (auto cardinality : factor.shape) {
    see(factor.literals.subspan(first, static_cast<std::size_t>(cardinality)));
    first += static_cast<std::size_t>(cardinality);
  }
}

// Of a table or a sequence: one state of each variable is on.
struct OverStates : Structured {
  static constexpr bool holds_states = true;
  static void imply(const FactorView& factor, Rows& rows) {
    for_each_variable(factor, [&](auto states) { rows.add(states, 1, 1); });
  }
  static bool equate(const FactorView& factor, Facts& facts) {
    bool possible = true;
    for_each_variable(factor, [&](auto states) { possible = possible && facts.last_two_differ(states); });
    return possible;
  }
};

}  // namespace treaty::graph
