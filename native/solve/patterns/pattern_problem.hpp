// Pattern problems: every vertex takes one label, and sparse patterns of labels score (Qian & Liu 2014, eq. 3).
//
// A state v[s] is numbered first[v] + s. Scores of pairs stand in dense tables, so that trees of them can be solved by
// dynamic programming; larger patterns are lists of states. A score of -inf forbids.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "solve/judge.hpp"

namespace treaty::solve {

using graph::Graph, graph::GraphError, graph::kInfinity;

struct PatternProblem {
  struct Edge {
    std::int32_t u, v;
    std::int64_t cells;  // where its table begins; a row per label of u
  };

  std::vector<std::int32_t> first{0};  // vertex -> its first state; one entry more than vertices
  std::vector<double> state_score;
  std::vector<Edge> edges;
  std::vector<double> cells;
  std::vector<std::int64_t> pattern_begin{0};  // pattern -> its states; one entry more than patterns
  std::vector<std::int32_t> pattern_states;
  std::vector<double> pattern_weight;  // counts when all states of the pattern are taken

  std::int32_t vertices() const { return static_cast<std::int32_t>(first.size()) - 1; }
  std::int32_t states() const { return first.back(); }
  std::int32_t labels(std::int32_t v) const { return first[v + 1] - first[v]; }
  std::int32_t patterns() const { return static_cast<std::int32_t>(pattern_weight.size()); }
  std::span<const std::int32_t> states_of(std::int32_t pattern) const {
    const auto begin = pattern_begin[pattern], end = pattern_begin[pattern + 1];
    return {pattern_states.data() + begin, static_cast<std::size_t>(end - begin)};
  }
  std::span<const double> table(const Edge& edge) const {
    return {cells.data() + edge.cells, static_cast<std::size_t>(labels(edge.u)) * labels(edge.v)};
  }

  std::int32_t add_vertex(std::span<const double> scores);
  void add_edge(std::int32_t u, std::int32_t v, std::span<const double> table);
  void add_pattern(std::span<const std::int32_t> states, double weight);

  std::vector<std::int32_t> vertex_of_states() const;
  double score(std::span<const std::int32_t> label) const;  // one label per vertex
  double score_without_patterns(std::span<const std::int32_t> label) const;
};

// More than any labeling can gain by breaking one rule: what stands for -inf where numbers must be finite.
double prohibitive_score(const PatternProblem& problem);

ScoreRange range_of(const PatternProblem& problem);

// The same problem with one table at most for two vertices (u < v), no pattern of fewer than three vertices, none
// twice, and none that cannot occur.
PatternProblem tidy(const PatternProblem& problem);

// Vertices become categorical variables in order, and so their states the graph's first variables.
Graph to_graph(const PatternProblem& problem);

// A problem read off a graph, and the way back to the graph's variables. Vertices are its categorical variables, its
// exactly-one factors and what is left of its binary variables; tables, sequences, rewards and ANDs with an output
// that nothing else touches score them. Throws GraphError when the graph holds anything else.
class PatternGraph {
 public:
  explicit PatternGraph(const Graph& graph);

  PatternProblem problem;
  std::vector<double> values(std::span<const std::int32_t> label) const;  // of the graph's variables
  std::vector<std::int32_t> labels(std::span<const double> values) const;  // the other way round

 private:
  friend class PatternReader;
  static constexpr std::int32_t kNone = -1;
  struct Output {  // on when all its states are taken
    std::int32_t variable;
    std::vector<std::int32_t> states;
  };
  std::vector<std::int32_t> on_state_;  // variable -> the state in which it is on, or kNone for an output
  std::vector<Output> outputs_;
};

inline PatternProblem from_graph(const Graph& graph) { return PatternGraph(graph).problem; }

}  // namespace treaty::solve
