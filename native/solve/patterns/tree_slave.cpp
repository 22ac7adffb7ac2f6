#include "solve/patterns/tree_slave.hpp"

#include <algorithm>
#include <numeric>

#include "graph/maximum.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::raise_to;

TreeSlave::TreeSlave(const PatternProblem& forest) : first_(forest.first), score_(forest.states()) {
  const auto vertices = forest.vertices();
  std::vector<std::int32_t> begin(vertices + 1, 0), incident(2 * forest.edges.size());
  for (const auto& edge : forest.edges) ++begin[edge.u + 1], ++begin[edge.v + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> place(begin.begin(), begin.end() - 1);
  for (std::size_t e = 0; e < forest.edges.size(); ++e)
    for (auto end : {forest.edges[e].u, forest.edges[e].v}) incident[place[end]++] = static_cast<std::int32_t>(e);

  std::vector<std::uint8_t> seen(vertices, 0);
  std::int32_t widest = 0;
  for (std::int32_t root = 0; root < vertices; ++root) {
    widest = std::max(widest, forest.labels(root));
    if (seen[root]) continue;
    seen[root] = 1;
    steps_.push_back({root, -1, 0});
    for (std::size_t next = steps_.size() - 1; next < steps_.size(); ++next) {
      const auto parent = steps_[next].vertex;
      for (auto i = begin[parent]; i < begin[parent + 1]; ++i) {
        const auto& edge = forest.edges[incident[i]];
        const auto child = edge.u == parent ? edge.v : edge.u;
        if (seen[child]) continue;
        seen[child] = 1;
        steps_.push_back({child, parent, static_cast<std::int64_t>(cells_.size())});
        const auto table = forest.table(edge);
        const auto rows = forest.labels(child), columns = forest.labels(parent);
        graph::poll(16 + std::int64_t{rows} * columns);
        for (std::int32_t a = 0; a < rows; ++a)
          for (std::int32_t b = 0; b < columns; ++b)
            cells_.push_back(edge.u == child ? table[a * columns + b] : table[b * rows + a]);
      }
    }
  }
  std::ranges::reverse(steps_);
  message_.resize(widest);
}

void TreeSlave::send_up(const Step& step) {
  const auto columns = static_cast<std::size_t>(first_[step.parent + 1] - first_[step.parent]);
  const std::span message(message_.data(), columns);
  std::ranges::fill(message, -kInfinity);
  const double* row = &cells_[step.cells];
  for (auto s = first_[step.vertex]; s < first_[step.vertex + 1]; ++s, row += columns)
    raise_to(message, row, score_[s]);
  double* const above = &score_[first_[step.parent]];
  for (std::size_t b = 0; b < columns; ++b) above[b] += message[b];
}

double TreeSlave::solve(std::span<const double> state_score, std::span<std::int32_t> label) {
  std::ranges::copy(state_score, score_.begin());
  for (const Step& step : steps_)
    if (graph::poll(32); step.parent >= 0) send_up(step);
  double value = 0.0;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {  // from the roots down
    const auto begin = first_[step->vertex], labels = first_[step->vertex + 1] - begin;
    const std::int32_t columns = step->parent < 0 ? 0 : first_[step->parent + 1] - first_[step->parent];
    const double* const cell = step->parent < 0 ? nullptr : &cells_[step->cells + label[step->parent]];
    double top = -kInfinity;
    std::int32_t best = 0;
    for (std::int32_t a = 0; a < labels; ++a) {
      const double reached = score_[begin + a] + (cell ? cell[std::int64_t{a} * columns] : 0.0);
      if (reached > top) top = reached, best = a;
    }
    label[step->vertex] = best;
    if (step->parent < 0) value += top;
  }
  return value;
}

std::vector<std::uint8_t> spanning_forest(std::int32_t vertices, std::span<const PatternProblem::Edge> edges,
                                          std::span<const double> worth) {
  std::vector<std::int32_t> order(edges.size()), leader(vertices);
  std::iota(order.begin(), order.end(), 0);
  std::iota(leader.begin(), leader.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](auto e) { return worth[e]; });
  const auto find = [&](std::int32_t v) {
    while (leader[v] != v) v = leader[v] = leader[leader[v]];
    return v;
  };
  std::vector<std::uint8_t> chosen(edges.size(), 0);
  for (auto e : order) {
    const auto u = find(edges[e].u), v = find(edges[e].v);
    chosen[e] = u != v;
    leader[u] = v;
  }
  return chosen;
}

}  // namespace treaty::solve
