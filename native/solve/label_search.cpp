#include "solve/label_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace treaty::solve {

LabelSearch::LabelSearch(const PatternProblem& problem)
    : problem_(problem),
      edge_begin_(problem.vertices() + 1, 0),
      edge_of_(2 * problem.edges.size()),
      pattern_begin_(problem.states() + 1, 0),
      pattern_of_(problem.pattern_states.size()),
      missing_(problem.patterns()),
      awake_(problem.vertices(), 0),
      prohibitive_(prohibitive_score(problem)),
      least_(1e-12 * prohibitive_) {
  std::int32_t widest = 0;
  for (std::int32_t v = 0; v < problem.vertices(); ++v) widest = std::max(widest, problem.labels(v));
  value_.resize(widest);
  for (const auto& edge : problem.edges) ++edge_begin_[edge.u + 1], ++edge_begin_[edge.v + 1];
  std::partial_sum(edge_begin_.begin(), edge_begin_.end(), edge_begin_.begin());
  std::vector<std::int32_t> place(edge_begin_.begin(), edge_begin_.end() - 1);
  for (std::size_t e = 0; e < problem.edges.size(); ++e)
    for (auto end : {problem.edges[e].u, problem.edges[e].v}) edge_of_[place[end]++] = static_cast<std::int32_t>(e);
  for (auto state : problem.pattern_states) ++pattern_begin_[state + 1];
  std::partial_sum(pattern_begin_.begin(), pattern_begin_.end(), pattern_begin_.begin());
  std::vector<std::int64_t> slot(pattern_begin_.begin(), pattern_begin_.end() - 1);
  for (std::int32_t p = 0; p < problem.patterns(); ++p)
    for (auto state : problem.states_of(p)) pattern_of_[slot[state]++] = p;
  find_neighbors();
}

void LabelSearch::find_neighbors() {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  const auto vertex = problem_.vertex_of_states();
  for (const auto& edge : problem_.edges) pairs.insert(pairs.end(), {{edge.u, edge.v}, {edge.v, edge.u}});
  for (std::int32_t p = 0; p < problem_.patterns(); ++p)
    for (auto a : problem_.states_of(p))
      for (auto b : problem_.states_of(p))
        if (a != b) pairs.emplace_back(vertex[a], vertex[b]);
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  neighbor_begin_.assign(problem_.vertices() + 1, 0);
  for (const auto& [from, to] : pairs) {
    ++neighbor_begin_[from + 1];
    neighbor_of_.push_back(to);
  }
  std::partial_sum(neighbor_begin_.begin(), neighbor_begin_.end(), neighbor_begin_.begin());
}

void LabelSearch::count_missing(std::span<const std::int32_t> label) {
  for (std::int32_t p = 0; p < problem_.patterns(); ++p)
    missing_[p] = static_cast<std::int32_t>(problem_.states_of(p).size());
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    const auto state = problem_.first[v] + label[v];
    for (auto i = pattern_begin_[state]; i < pattern_begin_[state + 1]; ++i) --missing_[pattern_of_[i]];
  }
}

// What each label of a vertex is worth while all others stay.
void LabelSearch::rank_labels(std::int32_t v, std::span<const std::int32_t> label) {
  const auto first = problem_.first[v], labels = problem_.labels(v);
  const auto finite = [this](double score) { return score == -kInfinity ? -prohibitive_ : score; };
  for (std::int32_t a = 0; a < labels; ++a) value_[a] = finite(problem_.state_score[first + a]);
  for (auto i = edge_begin_[v]; i < edge_begin_[v + 1]; ++i) {
    const auto& edge = problem_.edges[edge_of_[i]];
    const auto columns = problem_.labels(edge.v);
    const double* cell = &problem_.cells[edge.cells];
    cell += edge.u == v ? label[edge.v] : std::int64_t{label[edge.u]} * columns;
    const std::int64_t stride = edge.u == v ? columns : 1;
    for (std::int32_t a = 0; a < labels; ++a) value_[a] += finite(cell[a * stride]);
  }
  for (std::int32_t a = 0; a < labels; ++a)
    for (auto i = pattern_begin_[first + a]; i < pattern_begin_[first + a + 1]; ++i) {
      const auto p = pattern_of_[i];
      if (missing_[p] == (a == label[v] ? 0 : 1)) value_[a] += finite(problem_.pattern_weight[p]);
    }
}

void LabelSearch::move(std::span<std::int32_t> label, std::int32_t v, std::int32_t to) {
  const auto from = problem_.first[v] + label[v], there = problem_.first[v] + to;
  for (auto i = pattern_begin_[from]; i < pattern_begin_[from + 1]; ++i) ++missing_[pattern_of_[i]];
  for (auto i = pattern_begin_[there]; i < pattern_begin_[there + 1]; ++i) --missing_[pattern_of_[i]];
  label[v] = to;
}

void LabelSearch::wake(std::int32_t v) {
  if (awake_[v]) return;
  awake_[v] = 1;
  queue_.push_back(v);
}

void LabelSearch::wake_neighbors(std::int32_t v) {
  for (auto i = neighbor_begin_[v]; i < neighbor_begin_[v + 1]; ++i) wake(neighbor_of_[i]);
}

// Lets every vertex in the queue but the one held take its best label, and wakes those it concerns; the gain.
double LabelSearch::settle(std::span<std::int32_t> label, std::int32_t held, std::int64_t& budget) {
  double gain = 0.0;
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const auto v = queue_[next];
    awake_[v] = 0;
    if (v == held || budget <= 0) continue;
    --budget;
    rank_labels(v, label);
    const auto best = static_cast<std::int32_t>(
        std::max_element(value_.begin(), value_.begin() + problem_.labels(v)) - value_.begin());
    const double gained = value_[best] - value_[label[v]];
    if (gained <= least_) continue;
    gain += gained;
    journal_.push_back({v, label[v]});
    move(label, v, best);
    wake_neighbors(v);
  }
  queue_.clear();
  return gain;
}

double LabelSearch::climb(std::span<std::int32_t> label) {
  auto budget = std::numeric_limits<std::int64_t>::max();
  count_missing(label);
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) wake(v);
  settle(label, kNobody, budget);
  journal_.clear();
  return score(label);
}

double LabelSearch::kick(std::span<std::int32_t> label, std::int64_t budget) {
  std::minstd_rand random;  // the same kicks for the same problem
  const auto below = [&](std::int32_t n) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(n));
  };
  count_missing(label);
  while (budget-- > 0 && problem_.vertices() > 0) {
    const auto v = below(problem_.vertices()), labels = problem_.labels(v);
    if (labels < 2) continue;
    const auto from = label[v], to = (from + 1 + below(labels - 1)) % labels;
    rank_labels(v, label);
    double gain = value_[to] - value_[from];
    journal_.assign(1, {v, from});
    move(label, v, to);
    wake_neighbors(v);
    gain += settle(label, v, budget);
    wake(v);
    gain += settle(label, kNobody, budget);
    if (gain > least_) continue;
    for (auto past = journal_.rbegin(); past != journal_.rend(); ++past) move(label, past->vertex, past->from);
  }
  journal_.clear();
  return score(label);
}

double LabelSearch::score(std::span<const std::int32_t> label) {
  count_missing(label);
  double score = problem_.score_without_patterns(label);
  for (std::int32_t p = 0; p < problem_.patterns(); ++p)
    if (missing_[p] == 0) score += problem_.pattern_weight[p];
  return score;
}

}  // namespace treaty::solve
