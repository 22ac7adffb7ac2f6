// Clusters of three vertices that tighten the bound of DenseDual (Sontag et al. 2008).
//
// A triplet holds shares of the tables of its three pairs, and is worth the best labels of all three together: what the
// tables alone promise where a cycle of three is frustrated, it does not. Sweeps over the pairs deal the shares out:
// each pair in turn takes the maxima of its triplets, and gives them to those that are not done in the sweep (the order
// of Kolmogorov 2015, one level up). Any shares give a valid bound, so they stay from node to node of a search.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solve/search/dense.hpp"

namespace treaty::solve {

class Triplets {
 public:
  // The problem must be tidy: one table for two vertices, u < v.
  Triplets(const PatternProblem& problem, DenseDual& dual);

  // Adds the triangles by which the bound falls most, alone; at most so many. Returns how many were added.
  std::int64_t add(std::int64_t most);
  bool empty() const { return triplets_.empty(); }
  std::int64_t size() const { return static_cast<std::int64_t>(triplets_.size()); }
  // What a sweep looks at, in cells.
  std::int64_t work() const { return 3 * cubes_; }

  // One sweep over all pairs, forward or backward; `keep_going` is asked now and then, and may end it early.
  void sweep(bool forward, const std::function<bool()>& keep_going = nullptr);
  // The sum of the maxima of all triplets over the labels that are alive.
  double bound();
  double error() const { return error_; }

 private:
  struct Triplet {
    std::array<std::int32_t, 3> vertex;  // u < v < w
    std::array<std::int32_t, 3> edge;    // uv, uw, vw
    std::int64_t shares;                 // where its three tables begin
  };
  struct Place {
    std::int32_t triplet, side;
  };
  struct Candidate {
    double gain;
    std::array<std::int32_t, 3> edge;
  };

  std::vector<Candidate> candidates();
  void maximize(const std::array<std::int32_t, 3>& vertex, const std::array<const double*, 3>& table, int side,
                double* out);
  std::array<const double*, 3> tables(const Triplet& triplet) const;
  std::int64_t cells(std::int32_t edge) const;
  double* share(const Place& place);
  void balance(std::int32_t edge, bool forward);

  const PatternProblem& problem_;
  DenseDual& dual_;
  std::vector<Triplet> triplets_;
  std::vector<std::vector<Place>> of_edge_;
  std::vector<double> shares_;
  std::vector<double> maxima_, pool_, turned_;  // workspaces
  std::int64_t cubes_ = 0;
  double error_ = 0.0;
};

}  // namespace treaty::solve
