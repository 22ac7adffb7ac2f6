#include "solve/patterns/pattern_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "graph/factors.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::poll;

// More cells of tables than this fill the memory.
constexpr std::int64_t kMostCells = std::int64_t{1} << 27;

std::int32_t PatternProblem::add_vertex(std::span<const double> scores) {
  state_score.insert(state_score.end(), scores.begin(), scores.end());
  first.push_back(static_cast<std::int32_t>(state_score.size()));
  return vertices() - 1;
}

void PatternProblem::add_edge(std::int32_t u, std::int32_t v, std::span<const double> table) {
  if (static_cast<std::int64_t>(cells.size() + table.size()) > kMostCells)
    throw GraphError("the pairs of labels need tables of more than 2^27 cells in total");
  edges.push_back({u, v, static_cast<std::int64_t>(cells.size())});
  cells.insert(cells.end(), table.begin(), table.end());
}

void PatternProblem::add_pattern(std::span<const std::int32_t> states, double weight) {
  pattern_states.insert(pattern_states.end(), states.begin(), states.end());
  pattern_begin.push_back(static_cast<std::int64_t>(pattern_states.size()));
  pattern_weight.push_back(weight);
}

std::vector<std::int32_t> PatternProblem::vertex_of_states() const {
  std::vector<std::int32_t> vertex(states());
  for (std::int32_t v = 0; v < vertices(); ++v) std::fill(&vertex[first[v]], &vertex[first[v]] + labels(v), v);
  return vertex;
}

double PatternProblem::score_without_patterns(std::span<const std::int32_t> label) const {
  double score = 0.0;
  for (std::int32_t v = 0; v < vertices(); ++v) score += state_score[first[v] + label[v]];
  for (const Edge& edge : edges)
    score += cells[edge.cells + std::int64_t{label[edge.u]} * labels(edge.v) + label[edge.v]];
  return score;
}

double PatternProblem::score(std::span<const std::int32_t> label) const {
  double score = score_without_patterns(label);
  std::vector<std::uint8_t> taken(states(), 0);
  for (std::int32_t v = 0; v < vertices(); ++v) taken[first[v] + label[v]] = 1;
  for (std::int32_t p = 0; p < patterns(); ++p)
    if (std::ranges::all_of(states_of(p), [&](auto state) { return taken[state]; })) score += pattern_weight[p];
  return score;
}

double prohibitive_score(const PatternProblem& problem) {
  double most = 0.0;
  const auto spread = [&](std::span<const double> scores) {
    double low = 0.0, high = 0.0;
    for (double score : scores)
      if (score != -kInfinity) low = std::min(low, score), high = std::max(high, score);
    most += high - low;
  };
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    spread(std::span(problem.state_score).subspan(problem.first[v], problem.labels(v)));
  for (const auto& edge : problem.edges) spread(problem.table(edge));
  for (double weight : problem.pattern_weight)
    if (weight != -kInfinity) most += std::abs(weight);
  return most > 0.0 ? 2.0 * most : 1.0;
}

ScoreRange range_of(const PatternProblem& problem) {
  ScoreRange range;
  for (const auto* scores : {&problem.state_score, &problem.cells, &problem.pattern_weight}) range.add(*scores);
  return range;
}

namespace {

class Tidying {
 public:
  explicit Tidying(const PatternProblem& source) : source_(source), vertex_(source.vertex_of_states()) {
    out_.first = source.first;
    out_.state_score = source.state_score;
  }

  PatternProblem run() {
    for (const auto& edge : source_.edges) add_table(edge);
    for (std::int32_t p = 0; p < source_.patterns(); ++p) add_pattern(p);
    merge_larger();
    return std::move(out_);
  }

 private:
  // The table of two vertices, u < v.
  double* table(std::int32_t u, std::int32_t v) {
    const auto [place, is_new] = edge_of_.try_emplace({u, v}, out_.edges.size());
    if (is_new) {
      zeros_.assign(static_cast<std::size_t>(out_.labels(u)) * out_.labels(v), 0.0);
      out_.add_edge(u, v, zeros_);
    }
    return &out_.cells[out_.edges[place->second].cells];
  }

  void add_table(const PatternProblem::Edge& edge) {
    const auto scores = source_.table(edge);
    poll(256 + static_cast<std::int64_t>(scores.size()));
    const auto rows = source_.labels(edge.u), columns = source_.labels(edge.v);
    if (edge.u == edge.v) {
      for (std::int32_t a = 0; a < rows; ++a) out_.state_score[source_.first[edge.u] + a] += scores[a * columns + a];
      return;
    }
    double* const cells = edge.u < edge.v ? table(edge.u, edge.v) : table(edge.v, edge.u);
    for (std::int32_t a = 0; a < rows; ++a)
      for (std::int32_t b = 0; b < columns; ++b)
        cells[edge.u < edge.v ? std::int64_t{a} * columns + b : std::int64_t{b} * rows + a] +=
            scores[std::int64_t{a} * columns + b];
  }

  void add_pattern(std::int32_t p) {
    const double weight = source_.pattern_weight[p];
    poll(256);
    states_.assign(source_.states_of(p).begin(), source_.states_of(p).end());
    std::ranges::sort(states_);
    states_.erase(std::unique(states_.begin(), states_.end()), states_.end());
    const auto same_vertex = [&](auto a, auto b) { return vertex_[a] == vertex_[b]; };
    if (weight == 0.0 || states_.empty() || std::ranges::adjacent_find(states_, same_vertex) != states_.end()) return;
    if (states_.size() == 1) {
      out_.state_score[states_[0]] += weight;
    } else if (states_.size() == 2) {
      const auto u = vertex_[states_[0]], v = vertex_[states_[1]];
      const std::int64_t row = states_[0] - out_.first[u], column = states_[1] - out_.first[v];
      table(u, v)[row * out_.labels(v) + column] += weight;
    } else {
      larger_.push_back({states_, weight});
    }
  }

  void merge_larger() {
    std::ranges::stable_sort(larger_, {}, &Larger::states);
    for (std::size_t begin = 0, end; begin < larger_.size(); begin = end) {
      double weight = 0.0;
      for (end = begin; end < larger_.size() && larger_[end].states == larger_[begin].states; ++end)
        weight += larger_[end].weight;
      if (weight != 0.0) out_.add_pattern(larger_[begin].states, weight);
    }
  }

  struct Larger {
    std::vector<std::int32_t> states;
    double weight;
  };
  const PatternProblem& source_;
  PatternProblem out_;
  std::vector<std::int32_t> vertex_, states_;
  std::vector<double> zeros_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> edge_of_;
  std::vector<Larger> larger_;
};

}  // namespace

PatternProblem tidy(const PatternProblem& problem) { return Tidying(problem).run(); }

// A forbidden state or pattern becomes evidence: variables have finite scores.
Graph to_graph(const PatternProblem& problem) {
  Graph graph;
  std::vector<double> scores;
  const auto finite = [](double score) { return score == -kInfinity ? 0.0 : score; };
  const auto forbid = [&](double score, std::int32_t variable) {
    if (score == -kInfinity) graph.fix(variable, 0);
  };
  for (std::int32_t v = 0; v < problem.vertices(); ++v) {
    scores.clear();
    for (auto s = problem.first[v]; s < problem.first[v + 1]; ++s) scores.push_back(finite(problem.state_score[s]));
    graph.add_categorical(scores);
    for (auto s = problem.first[v]; s < problem.first[v + 1]; ++s) forbid(problem.state_score[s], s);
  }
  std::vector<std::int32_t> literals;
  for (const auto& edge : problem.edges) {
    const std::int32_t shape[] = {problem.labels(edge.u), problem.labels(edge.v)};
    literals.clear();
    for (auto v : {edge.u, edge.v})
      for (auto s = problem.first[v]; s < problem.first[v + 1]; ++s) literals.push_back(2 * s);
    graph.add(graph::kind_of<graph::Table>, literals, problem.table(edge), shape);
  }
  for (std::int32_t p = 0; p < problem.patterns(); ++p) {
    const double score = finite(problem.pattern_weight[p]);
    const auto output = graph.add_variables({&score, 1});
    forbid(problem.pattern_weight[p], output);
    literals.clear();
    for (auto s : problem.states_of(p)) literals.push_back(2 * s);
    literals.push_back(2 * output);
    graph.add(graph::kind_of<graph::AndWithOutput>, literals, {}, {});
  }
  return graph;
}

}  // namespace treaty::solve
