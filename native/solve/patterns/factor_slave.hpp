// The slave of one factor: a few vertices and all patterns of labels that score them together, of either sign.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::solve {

class FactorSlave {
 public:
  explicit FactorSlave(std::vector<std::int32_t> labels);  // of each vertex, how many

  void add(std::span<const std::int32_t> pattern, double weight);  // a label for each vertex

  std::int32_t first(std::int32_t vertex) const { return first_[vertex]; }
  std::int32_t states() const { return first_.back(); }
  std::int32_t vertices() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  // The maximum over all labelings of the scores of the states, vertex after vertex, and the weight of the pattern, if
  // there is one; -inf if there is no labeling that is allowed. Writes a label for each vertex.
  double solve(std::span<const double> score, std::span<std::int32_t> label);

 private:
  struct Ranks {  // of a labeling: 0 is a vertex' best label
    double score;
    std::int32_t last;  // the vertex whose rank was raised last: only those from here on may be raised again
    std::vector<std::int32_t> rank;
  };
  std::span<const std::int32_t> pattern(std::size_t p) const {
    return std::span(patterns_).subspan(p * vertices(), vertices());
  }
  bool costs(std::span<const std::int32_t> label) const;
  double best_that_costs_nothing(std::span<const double> score, std::span<std::int32_t> label);

  std::vector<std::int32_t> first_;  // vertex -> its first state; one entry more than vertices
  std::vector<std::int32_t> patterns_;
  std::vector<double> weight_;
  std::vector<std::int32_t> order_;  // of each vertex: its labels, the best first
  std::vector<Ranks> open_;
};

}  // namespace treaty::solve
