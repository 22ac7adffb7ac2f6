// Branch and bound for many tables of pairs with many labels.
//
// The bound is that of the local polytope, by block coordinate descent: each vertex in turn takes the maxima of its
// tables, and deals them out to those that come later in the sweep (Kolmogorov 2006, 2015). A sweep costs two looks at
// each cell, where a projection of AD3 needs many. Labels that the bound excludes are removed (reduced costs), as are
// labels that another one of the same vertex beats whatever its neighbors do (dead-end elimination, Goldstein 1994).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/patterns/pattern_problem.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

// The dual of a problem without patterns: a reparameterization by messages, over the labels that are alive.
class DenseDual {
 public:
  explicit DenseDual(const PatternProblem& problem);

  std::vector<double> message;        // what tables gave to the labels of their ends
  std::vector<std::uint8_t> alive;    // by state

  // One sweep over all vertices, forward or backward; false if a vertex has no label left.
  bool sweep(bool forward);
  // No labeling of labels that are alive scores more; `error` of it may be rounding.
  double bound();
  double error() const { return error_; }
  // After bound(): what a label is worth beside the messages; the best of its vertex is in the bound.
  double value(std::int32_t state) const { return value_[state]; }
  double best(std::int32_t v) const { return best_[v]; }
  // Removes labels that are never better than another one; the number removed. Before any table is replaced.
  std::int64_t remove_dead_ends();

  // A table beside the messages, a row per label of u: what is left of it to bound. Returns the most that is alive.
  double reduced(std::int32_t edge, double* cells) const;
  // Replaces a table, if others hold what it loses.
  void set_table(std::int32_t edge, const double* cells);

 private:
  struct Arc {
    std::int32_t to, back;     // the other end; the same table seen from there
    std::int64_t cells, first;  // its table, a row per label here; its messages
  };
  void collect(std::int32_t v);
  bool beats(std::int32_t v, std::int32_t a, std::int32_t b) const;

  const PatternProblem& problem_;
  std::vector<std::int64_t> begin_;
  std::vector<Arc> arcs_;
  std::vector<std::int64_t> arc_of_edge_;  // seen from u
  std::vector<double> cells_, value_, best_;
  double error_ = 0.0;
};

// Whether a problem is dense enough: tables of pairs only, and many for each vertex.
bool is_dense(const PatternProblem& problem);

// Proves the optimum, or stops at a limit with a true gap; `limits.iterations` counts nodes. Writes the best labels.
Outcome solve_dense(const PatternProblem& problem, const Limits& limits, std::vector<std::int32_t>& label);

}  // namespace treaty::solve
