#include "solve/patterns/cut_move.hpp"

namespace treaty::solve {

double CutMove::finite(double score) const { return score == -kInfinity ? -labeling_.prohibitive() : score; }

const std::vector<std::int32_t>& CutMove::run(std::span<const std::int32_t> other) {
  const auto label = labeling_.label();
  node_.assign(label.size(), -1);
  taken_.clear(), terminal_.clear(), arcs_.clear();
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    if (label[v] == other[v] || !labeling_.allowed(problem_.first[v] + other[v])) continue;
    node_[v] = static_cast<std::int32_t>(taken_.size());
    taken_.push_back(v);
    const auto first = problem_.first[v];
    terminal_.push_back(finite(problem_.state_score[first + other[v]]) - finite(problem_.state_score[first + label[v]]));
  }
  std::int64_t right = 0, pairs = 0;
  for (const auto& edge : problem_.edges) {
    const auto u = node_[edge.u], v = node_[edge.v];
    if (u < 0 && v < 0) continue;
    const auto table = problem_.table(edge);
    const auto columns = problem_.labels(edge.v);
    auto cell = [&](std::int32_t a, std::int32_t b) { return finite(table[static_cast<std::size_t>(a) * columns + b]); };
    const double stay = cell(label[edge.u], label[edge.v]);
    if (u >= 0) terminal_[u] += cell(other[edge.u], label[edge.v]) - stay;
    if (v >= 0) terminal_[v] += cell(label[edge.u], other[edge.v]) - stay;
    if (u < 0 || v < 0) continue;
    const double both = cell(other[edge.u], other[edge.v]) + stay - cell(other[edge.u], label[edge.v]) -
                        cell(label[edge.u], other[edge.v]);
    ++pairs;
    if (both < 0.0) continue;
    ++right;
    // w z_i z_j = w/2 (z_i + z_j) - w/2 z_i (1 - z_j) - w/2 z_j (1 - z_i).
    terminal_[u] += 0.5 * both, terminal_[v] += 0.5 * both;
    arcs_.push_back({u, v, 0.5 * both, 0.5 * both});
  }
  share_ = pairs > 0 ? static_cast<double>(right) / static_cast<double>(pairs) : 1.0;
  cost_ = 20 * static_cast<std::int64_t>(label.size() + problem_.edges.size());
  MaxFlow flow(static_cast<std::int32_t>(taken_.size()), arcs_);
  for (std::size_t i = 0; i < taken_.size(); ++i) flow.set_terminal(static_cast<std::int32_t>(i), terminal_[i]);
  flow.solve(true);
  std::erase_if(taken_, [&](auto v) { return flow.side(node_[v]) != MaxFlow::Side::Source; });
  return taken_;
}

}  // namespace treaty::solve
