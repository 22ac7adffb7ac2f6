#include "solve/patterns/two_slave.hpp"

#include <algorithm>

namespace treaty::solve {

TwoSlave::TwoSlave(const PatternProblem& tidied, const TwoSlaveOptions& options)
    : split_(tidied, options.style),
      tree_(split_.forest),
      cut_(split_),
      cold_(!options.warm_cut),
      score_(split_.forest.states()),
      labels_(split_.forest.vertices()) {}

// max_Y forest(Y) - sum_m lambda_m y_m(Y)  +  max_z cut(z) + sum_m lambda_m z_m; y_m is a state or its complement.
double TwoSlave::evaluate(std::span<const double> multiplier, std::span<double> subgradient,
                          std::span<std::int32_t> label) {
  std::ranges::copy(split_.forest.state_score, score_.begin());
  double bound = split_.constant;
  for (std::size_t m = 0; m < multiplier.size(); ++m) {
    const auto& link = split_.links[m];
    score_[link.state] += link.complement ? multiplier[m] : -multiplier[m];
    if (link.complement) bound -= multiplier[m];
  }
  bound += tree_.solve(score_, labels_);
  bound += cut_.solve(multiplier, subgradient, cold_);

  std::ranges::fill(score_, 0.0);  // now: which states are taken
  for (std::size_t v = 0; v < labels_.size(); ++v) score_[split_.forest.first[v] + labels_[v]] = 1.0;
  for (std::size_t m = 0; m < multiplier.size(); ++m) {
    const double taken = score_[split_.links[m].state];
    subgradient[m] -= split_.links[m].complement ? 1.0 - taken : taken;
  }
  std::copy_n(labels_.begin(), label.size(), label.begin());
  return bound;
}

LabelOutcome solve_two_slave(const PatternProblem& problem, const TwoSlaveOptions& options, const Limits& limits) {
  return solve_tidied<TwoSlave>(tidy(problem), options, limits);
}

Outcome solve_two_slave(const Graph& graph, const TwoSlaveOptions& options, const Limits& limits) {
  return solve_read<TwoSlave>(graph, options, limits);
}

}  // namespace treaty::solve
