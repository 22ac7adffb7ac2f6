#include "solve/patterns/naive.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "graph/stop.hpp"

namespace treaty::solve {

Naive::Naive(const PatternProblem& tidied, const LabelOptions&)
    : problem_(tidied), copies_(tidied.states(), 0.0), mean_(tidied.states()) {
  add_trees();
  add_factors();
  for (auto state : state_) copies_[state] += 1.0;
  score_.resize(state_.size());
  labels_.resize(problem_.vertices());
}

// Each tree takes as many of the edges that are left as a forest can hold.
void Naive::add_trees() {
  std::vector<std::int32_t> left(problem_.edges.size()), taken, rest;
  std::iota(left.begin(), left.end(), 0);
  do {
    graph::poll(64 * static_cast<std::int64_t>(left.size()) + problem_.vertices());
    std::vector<PatternProblem::Edge> edges;
    for (auto e : left) edges.push_back(problem_.edges[e]);
    const auto chosen = spanning_forest(problem_.vertices(), edges, std::vector<double>(edges.size(), 1.0));
    taken.clear(), rest.clear();
    for (std::size_t i = 0; i < left.size(); ++i) (chosen[i] ? taken : rest).push_back(left[i]);
    add_tree(taken, trees_.empty());
    left = rest;
  } while (!left.empty());
}

void Naive::copy_vertex(std::int32_t v) {
  for (auto state = problem_.first[v]; state < problem_.first[v + 1]; ++state) state_.push_back(state);
}

void Naive::add_tree(std::span<const std::int32_t> edges, bool everywhere) {
  const auto begin = state_.size();
  PatternProblem forest;
  std::vector<std::int32_t> place(problem_.vertices(), -1);
  const auto place_of = [&](std::int32_t v) {
    if (place[v] >= 0) return place[v];
    copy_vertex(v);
    const std::vector<double> zeros(problem_.labels(v), 0.0);
    return place[v] = forest.add_vertex(zeros);
  };
  for (std::int32_t v = 0; everywhere && v < problem_.vertices(); ++v) place_of(v);
  for (auto e : edges) {
    const auto& edge = problem_.edges[e];
    const auto u = place_of(edge.u), v = place_of(edge.v);
    forest.add_edge(u, v, problem_.table(edge));
  }
  trees_.push_back({TreeSlave(forest), begin, forest.first});
}

// One for each set of vertices that patterns have.
void Naive::add_factors() {
  const auto vertex = problem_.vertex_of_states();
  std::map<std::vector<std::int32_t>, std::size_t> known;
  std::vector<std::int32_t> vertices, labels;
  for (std::int32_t p = 0; p < problem_.patterns(); ++p) {
    graph::poll(512);
    vertices.clear(), labels.clear();
    for (auto state : problem_.states_of(p)) {
      vertices.push_back(vertex[state]);
      labels.push_back(state - problem_.first[vertices.back()]);
    }
    const auto [place, is_new] = known.try_emplace(vertices, factors_.size());
    if (is_new) {
      std::vector<std::int32_t> counts;
      for (auto v : vertices) counts.push_back(problem_.labels(v));
      factors_.push_back({FactorSlave(std::move(counts)), state_.size()});
      for (auto v : vertices) copy_vertex(v);
    }
    factors_[place->second].slave.add(labels, problem_.pattern_weight[p]);
  }
}

double Naive::evaluate(std::span<const double> multiplier, std::span<double> subgradient,
                       std::span<std::int32_t> label) {
  // The multipliers of a state's copies sum to zero, or else the bound is none: rounding errors, which deflected
  // directions amplify, are taken out.
  std::ranges::copy(multiplier, score_.begin());
  subtract_means(score_);
  for (std::size_t m = 0; m < state_.size(); ++m) score_[m] += problem_.state_score[state_[m]] / copies_[state_[m]];
  std::ranges::fill(subgradient, 0.0);
  double bound = 0.0;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    auto& [slave, begin, first] = trees_[t];
    const double value = slave.solve(std::span(score_).subspan(begin, first.back()), labels_);
    if (value == -kInfinity) return value;
    bound += value;
    for (std::size_t v = 0; v + 1 < first.size(); ++v) subgradient[begin + first[v] + labels_[v]] = 1.0;
    if (t == 0) std::ranges::copy(labels_, label.begin());
  }
  for (auto& [slave, begin] : factors_) {
    const auto own = std::span(labels_).first(slave.vertices());
    graph::poll(64);
    const double value = slave.solve(std::span(score_).subspan(begin, slave.states()), own);
    if (value == -kInfinity) return value;
    bound += value;
    for (std::int32_t k = 0; k < slave.vertices(); ++k) subgradient[begin + slave.first(k) + own[k]] = 1.0;
  }
  subtract_means(subgradient);
  return bound;
}

void Naive::subtract_means(std::span<double> taken) {
  std::ranges::fill(mean_, 0.0);
  for (std::size_t m = 0; m < state_.size(); ++m) mean_[state_[m]] += taken[m];
  for (std::size_t m = 0; m < state_.size(); ++m) taken[m] -= mean_[state_[m]] / copies_[state_[m]];
}

LabelOutcome solve_naive(const PatternProblem& problem, const LabelOptions& options, const Limits& limits) {
  return solve_tidied<Naive>(tidy(problem), options, limits);
}

Outcome solve_naive(const Graph& graph, const LabelOptions& options, const Limits& limits) {
  return solve_read<Naive>(graph, options, limits);
}

}  // namespace treaty::solve
