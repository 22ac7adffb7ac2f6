#include "solve/patterns/cut_slave.hpp"

namespace treaty::solve {
namespace {

// w z_i z_j = w/2 (z_i + z_j) - w/2 z_i (1 - z_j) - w/2 z_j (1 - z_i).
std::vector<MaxFlow::Arc> arcs_of(const TreeCut& problem) {
  std::vector<MaxFlow::Arc> arcs;
  for (const auto& pair : problem.pairs) arcs.push_back({pair.i, pair.j, 0.5 * pair.weight, 0.5 * pair.weight});
  return arcs;
}

}  // namespace

CutSlave::CutSlave(const TreeCut& problem)
    : base_(problem.linear), flow_(static_cast<std::int32_t>(problem.linear.size()), arcs_of(problem)) {
  for (const auto& pair : problem.pairs) {
    base_[pair.i] += 0.5 * pair.weight;
    base_[pair.j] += 0.5 * pair.weight;
  }
  for (std::int32_t i = 0; i < flow_.nodes(); ++i) flow_.set_terminal(i, base_[i]);
}

double CutSlave::solve(std::span<const double> multiplier, std::span<double> z, bool cold) {
  const auto links = static_cast<std::int32_t>(multiplier.size());
  for (std::int32_t m = 0; m < links; ++m) {
    const double terminal = base_[m] + multiplier[m];
    if (terminal != flow_.terminal(m)) flow_.set_terminal(m, terminal);
  }
  const double value = flow_.solve(cold);
  for (std::int32_t m = 0; m < links; ++m) {
    const auto side = flow_.side(m);
    z[m] = side == MaxFlow::Side::Source ? 1.0 : side == MaxFlow::Side::Sink ? 0.0 : 0.5;
  }
  return value;
}

}  // namespace treaty::solve
