// Naive dual decomposition (Komodakis 2011), the paper's baseline: spanning trees that cover all pairs, chosen
// greedily, and a slave of its own for all larger patterns of the same vertices. Every slave has a copy of its vertices'
// states, and multipliers make the copies agree.
#pragma once

#include "solve/patterns/factor_slave.hpp"
#include "solve/patterns/label_dual.hpp"
#include "solve/patterns/tree_slave.hpp"

namespace treaty::solve {

class Naive final : public LabelDual {
 public:
  Naive(const PatternProblem& tidied, const LabelOptions&);

  std::vector<double> start() const override { return std::vector<double>(state_.size(), 0.0); }
  double evaluate(std::span<const double> multiplier, std::span<double> subgradient,
                  std::span<std::int32_t> label) override;

 private:
  struct Tree {
    TreeSlave slave;
    std::size_t begin;                // of its copies
    std::vector<std::int32_t> first;  // vertex of the tree -> its first state, counted from there
  };
  struct Factor {
    FactorSlave slave;
    std::size_t begin;  // of its copies
  };
  void add_trees();
  void add_tree(std::span<const std::int32_t> edges, bool everywhere);
  void add_factors();
  void copy_vertex(std::int32_t v);
  void subtract_means(std::span<double> taken);

  const PatternProblem& problem_;
  std::vector<Tree> trees_;           // the first one has all vertices
  std::vector<Factor> factors_;
  std::vector<std::int32_t> state_;  // of each copy
  std::vector<double> copies_;       // how many each state has
  std::vector<double> score_, mean_;
  std::vector<std::int32_t> labels_;
};

LabelOutcome solve_naive(const PatternProblem& problem, const LabelOptions& options, const Limits& limits);
Outcome solve_naive(const Graph& graph, const LabelOptions& options, const Limits& limits);

}  // namespace treaty::solve
