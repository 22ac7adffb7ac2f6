// A smaller problem with the same optimum: labels that are removed, vertices that are decided and vertices with few
// neighbors are gone. The last are eliminated: one table holds the best that they add beside their neighbors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/search/bucket_forest.hpp"
#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

class Simplified {
 public:
  // The potentials hold all tables and patterns of the problem; every vertex has a label that is alive.
  Simplified(const PatternProblem& problem, std::span<const Potential> potentials, std::span<const std::uint8_t> alive);

  // What is left; the best of what is gone is in the scores of its first vertex.
  const PatternProblem& problem() const { return out_; }
  const std::vector<Potential>& potentials() const { return tables_; }
  // Labels of the problem from those of what is left, and the other way round; -1 where a label is gone.
  std::vector<std::int32_t> expand(std::span<const std::int32_t> label) const;
  std::vector<std::int32_t> reduce(std::span<const std::int32_t> label) const;

 private:
  struct Gone {  // a vertex that was eliminated
    std::int32_t vertex;
    std::vector<std::int32_t> neighbors, best;  // its label for every joint label of them
  };

  void keep_labels(const PatternProblem& problem, std::span<const std::uint8_t> alive);
  void add(const Potential& potential);
  void add_table(Potential table);
  void eliminate_all();
  std::vector<std::int32_t> neighbors_of(std::int32_t v) const;
  bool is_cheap(std::int32_t v, std::span<const std::int32_t> neighbors) const;
  void eliminate(std::int32_t v, std::vector<std::int32_t> neighbors);
  void finish();
  std::int32_t labels(std::int32_t v) const { return static_cast<std::int32_t>(own_[v].size()); }
  std::size_t cells_of(std::span<const std::int32_t> vertices) const;

  std::vector<std::vector<std::int32_t>> kept_;  // vertex -> its labels that are left
  std::vector<std::vector<double>> own_;         // their scores
  std::vector<std::int32_t> sizes_;              // how many labels there were
  std::vector<Potential> tables_;                // no vertices: removed
  std::vector<std::vector<std::int32_t>> tables_of_;
  std::vector<std::uint8_t> is_gone_;
  std::vector<Gone> gone_;
  std::vector<std::int32_t> left_;  // vertices of the new problem
  double constant_ = 0.0;
  PatternProblem out_;
};

}  // namespace treaty::solve
