// Projection onto the polytope of a structured factor, given only its oracle.
//
// The quadratic subproblem has a solution spanned by few configurations (Martins, Almeida & Smith 2013,
// Proposition 2). The active-set method keeps them with their weights, solves the problem on their affine
// hull, drops those whose weight falls to zero and asks the oracle for the one that is missing. Since the
// configurations are kept from one call to the next, a warm call usually costs one small triangular solve
// and one run of the oracle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/oracle.hpp"

namespace treaty::graph {

// Scratch memory for ActiveSet::project, shared by all factors of a solver.
struct ActiveSetWorkspace {
  std::vector<double> direction, rhs, scores;
  Configuration candidate;
};

class ActiveSet {
 public:
  // Writes argmin over the polytope of 1/2 |z - a|^2 - step * score(z); z must not alias a. Returns false if the factor
  // has no configuration. At most `rounds` configurations are added or dropped; if that is not enough, z is a point of
  // the polytope but not yet the projection.
  bool project(std::span<const double> a, double step, Oracle& oracle, std::span<double> z,
               ActiveSetWorkspace& workspace, std::size_t rounds = kExact);
  static constexpr std::size_t kExact = ~std::size_t{0};

  // The factor's own score at the last projection: the expectation over its configurations.
  double own_score() const;
  // Call this after the factor's own scores have changed: it reads them again, and clears the set if a configuration is
  // no longer allowed.
  void refresh(Oracle& oracle);
  std::size_t size() const { return weight_.size(); }
  void clear();

  // The slots that are on in a configuration, and its weight.
  std::span<const std::int32_t> on(std::size_t k) const;
  double weight(std::size_t k) const { return weight_[k]; }
  // Adds configurations with a weight of zero until the set spans all that are best, but for `slack`, at these prices
  // of the slots: the whole face in which the last projection lies. As long as it does not, one of two opposite
  // directions that are orthogonal to the set, and otherwise random, leads to a configuration that is missing.
  void span_face(std::span<const double> price, double slack, Oracle& oracle, ActiveSetWorkspace& workspace);
  // The Jacobian of the projection times x: x projected onto the directions of the hull of the set. Also how fast each
  // weight changes. span_face() or prepare() comes first.
  void prepare();
  void move(std::span<const double> x, std::vector<double>& rate, std::span<double> moved) const;

 private:
  double overlap(std::size_t k, std::span<const std::int32_t> other) const;
  void mean(std::span<double> z) const;
  void solve(std::vector<double>& x) const;  // x <- K^-1 x
  bool append(const Configuration& c, double weight, ActiveSetWorkspace& workspace);
  void exchange(const Configuration& c, ActiveSetWorkspace& workspace);
  void remove(std::size_t k);
  bool minimize_on_hull(std::span<const double> a, double step, ActiveSetWorkspace& workspace);
  bool contains(const Configuration& c) const;

  // Configurations (slots that are on, flat), own scores and weights; weights are positive and sum to one.
  std::vector<std::int32_t> slots_;
  std::vector<std::int32_t> begin_{0};
  std::vector<double> own_;
  std::vector<double> weight_;
  // Lower Cholesky factor, rows packed, of K = Y'Y + 11': positive definite exactly when the configurations
  // are affinely independent (Wolfe 1976), which is kept as an invariant.
  std::vector<double> factor_;
  std::vector<double> inverse_ones_;  // K^-1 1; empty when K has changed
};

}  // namespace treaty::graph
