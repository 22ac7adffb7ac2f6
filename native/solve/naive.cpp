#include "solve/naive.hpp"

#include <algorithm>
#include <numeric>

namespace treaty::solve {

Naive::Naive(const PatternProblem& tidied, const LabelOptions&)
    : problem_(tidied), vertex_(tidied.vertex_of_states()), copies_(tidied.states(), 0.0), mean_(tidied.states()) {
  add_trees();
  add_patterns();
  for (auto state : state_) copies_[state] += 1.0;
  score_.resize(state_.size());
  labels_.resize(problem_.vertices());
}

// Each tree takes as many of the edges that are left as a forest can hold.
void Naive::add_trees() {
  std::vector<std::int32_t> left(problem_.edges.size()), taken, rest;
  std::iota(left.begin(), left.end(), 0);
  do {
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

void Naive::add_patterns() {
  for (std::int32_t p = 0; p < problem_.patterns(); ++p) {
    patterns_.push_back({p, state_.size()});
    for (auto state : problem_.states_of(p)) copy_vertex(vertex_[state]);
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
  for (const Pattern& pattern : patterns_) bound += solve_pattern(pattern, subgradient);
  subtract_means(subgradient);
  return bound;
}

// Either the pattern, or the best labels but one: the vertex that loses least takes its best other label.
double Naive::solve_pattern(const Pattern& pattern, std::span<double> taken) const {
  const auto states = problem_.states_of(pattern.index);
  double on = problem_.pattern_weight[pattern.index], off = 0.0, loss = kInfinity;
  std::size_t breaks = 0;
  const auto best_of = [&](std::size_t begin, std::int32_t labels, std::int32_t except) {
    std::int32_t best = -1;
    for (std::int32_t a = 0; a < labels; ++a)
      if (a != except && (best < 0 || score_[begin + a] > score_[begin + best])) best = a;
    return best;
  };
  auto begin = pattern.begin;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto v = vertex_[states[k]], labels = problem_.labels(v), own = states[k] - problem_.first[v];
    const auto best = best_of(begin, labels, -1), other = best_of(begin, labels, own);
    on += score_[begin + own];
    off += score_[begin + best];
    const double lost = other < 0 ? kInfinity : score_[begin + best] - score_[begin + other];
    if (lost < loss) loss = lost, breaks = k;
    begin += labels;
  }
  off -= loss;
  begin = pattern.begin;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto v = vertex_[states[k]], labels = problem_.labels(v), own = states[k] - problem_.first[v];
    const auto choice = on > off ? own : best_of(begin, labels, k == breaks ? own : -1);
    taken[begin + choice] = 1.0;
    begin += labels;
  }
  return std::max(on, off);
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
