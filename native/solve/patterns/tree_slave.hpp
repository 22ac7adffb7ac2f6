// The tree slave: the best labels of a forest of pairs, by dynamic programming.
#pragma once

#include <span>
#include <vector>

#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

class TreeSlave {
 public:
  // The edges of `forest` must not form a cycle; its patterns and scores of states do not count here.
  explicit TreeSlave(const PatternProblem& forest);

  // The maximum of the states' scores and the tables, and labels that reach it; -inf when all is forbidden.
  double solve(std::span<const double> state_score, std::span<std::int32_t> label);

 private:
  struct Step {  // in an order where children come before their parents
    std::int32_t vertex, parent;  // no parent: -1
    std::int64_t cells;           // a row per label of the vertex, a column per label of the parent
  };
  void send_up(const Step& step);

  std::vector<std::int32_t> first_;
  std::vector<Step> steps_;
  std::vector<double> cells_;
  std::vector<double> score_;    // of states, with what their subtrees add
  std::vector<double> message_;  // to the states of one parent
};

// Marks the edges of a spanning forest: those with the highest `worth` first, ties in order.
std::vector<std::uint8_t> spanning_forest(std::int32_t vertices, std::span<const PatternProblem::Edge> edges,
                                          std::span<const double> worth);

}  // namespace treaty::solve
