// 2-slave dual decomposition (Qian & Liu 2014): a tree slave and a cut slave negotiate over their common states.
#pragma once

#include "solve/patterns/cut_slave.hpp"
#include "solve/patterns/label_dual.hpp"
#include "solve/patterns/tree_slave.hpp"

namespace treaty::solve {

struct TwoSlaveOptions : LabelOptions {
  CutStyle style = CutStyle::Tight;
  bool warm_cut = true;  // each cut starts from the one before
};

class TwoSlave final : public LabelDual {
 public:
  TwoSlave(const PatternProblem& tidied, const TwoSlaveOptions& options);

  std::vector<double> start() const override { return split_.start; }
  double evaluate(std::span<const double> multiplier, std::span<double> subgradient,
                  std::span<std::int32_t> label) override;

 private:
  TreeCut split_;
  TreeSlave tree_;
  CutSlave cut_;
  bool cold_;
  std::vector<double> score_;         // of the forest's states at the current prices
  std::vector<std::int32_t> labels_;  // of the forest
};

LabelOutcome solve_two_slave(const PatternProblem& problem, const TwoSlaveOptions& options, const Limits& limits);
Outcome solve_two_slave(const Graph& graph, const TwoSlaveOptions& options, const Limits& limits);

}  // namespace treaty::solve
