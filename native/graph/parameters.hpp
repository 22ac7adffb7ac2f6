// All scores of a graph as one flat vector: those of the variables, then those of the factors in order of insertion.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace treaty::graph {

class Parameters {
 public:
  explicit Parameters(const Graph& graph);

  std::size_t variables() const { return variables_; }
  std::size_t size() const { return variables_ + datum_.size(); }
  // Of each factor, and the end: where its parameters begin. Costs and capacities are none.
  const std::vector<std::int64_t>& begin() const { return begin_; }

  std::vector<double> read(const Graph& graph) const;
  // The first number that is no valid score in its place, -1 if all are. Scores are those of the variables, or all.
  std::int64_t first_invalid(std::span<const double> scores) const;
  void write(std::span<const double> scores, Graph& graph) const;

 private:
  std::size_t variables_;
  std::vector<std::int64_t> begin_;
  std::vector<std::int64_t> datum_;       // of each parameter of a factor: its place in the graph's data
  std::vector<std::uint8_t> may_forbid_;  // where -inf is allowed
};

}  // namespace treaty::graph
