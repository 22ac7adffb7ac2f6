// Reads a pattern problem off a factor graph.
#include <algorithm>
#include <string>

#include "graph/factor.hpp"
#include "graph/factors.hpp"
#include "graph/stop.hpp"
#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

using graph::FactorView, graph::kind_of;

class PatternReader {
 public:
  PatternReader(const Graph& graph, PatternGraph& out)
      : graph_(graph), out_(out), problem_(out.problem), uses_(graph.variables(), 0) {
    for (auto literal : graph.literals) ++uses_[literal >> 1];
    out.on_state_.assign(graph.variables(), PatternGraph::kNone);
    is_output_.assign(graph.variables(), 0);
  }

  void run() {
    for (std::size_t c = 0; c < graph_.categorical_first.size(); ++c) add_categorical(c);
    for (std::int32_t f = 0; f < graph_.factors(); ++f)
      if (graph::poll(4); graph_.kind[f] == kind_of<graph::ExactlyOne>) add_group(graph_.factor(f));
    for (std::int32_t f = 0; f < graph_.factors(); ++f)
      if (graph::poll(4); graph_.kind[f] == kind_of<graph::AndWithOutput>) mark_output(graph_.factor(f));
    for (std::int32_t variable = 0; variable < graph_.variables(); ++variable)
      if (!has_vertex(variable) && !is_output_[variable]) add_binary(variable);
    vertex_ = problem_.vertex_of_states();
    for (std::int32_t variable = 0; variable < graph_.variables(); ++variable)
      if (has_vertex(variable) && graph_.evidence[variable] >= 0)
        restrict_to(out_.on_state_[variable], graph_.evidence[variable] == 1);
    for (std::int32_t f = 0; f < graph_.factors(); ++f) {
      const auto factor = graph_.factor(f);
      graph::poll(32 + factor.degree() + static_cast<std::int64_t>(factor.data.size()));
      add_factor(factor);
    }
    problem_ = tidy(problem_);
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw GraphError("two-slave, naive and junction need a pattern problem: variables in one of several states "
                     "(categorical or exactly_one), in tables, sequences, rewards, clauses (at_least_one) and ANDs with "
                     "an output of their own; " +
                     what + ". Choose ad3, exact or ilp");
  }

  bool has_vertex(std::int32_t variable) const { return out_.on_state_[variable] != PatternGraph::kNone; }

  void add_categorical(std::size_t c) {
    variables_.clear();
    for (std::int32_t i = 0; i < graph_.categorical_size[c]; ++i)
      variables_.push_back(graph_.categorical_first[c] + i);
    add_vertex();
  }

  // A group that repeats a categorical variable says nothing new.
  void add_group(const FactorView& factor) {
    variables_.clear();
    for (auto literal : factor.literals) {
      if (literal & 1) refuse("this graph has an exactly_one of negated literals");
      variables_.push_back(literal >> 1);
    }
    std::ranges::sort(variables_);
    if (std::ranges::adjacent_find(variables_) != variables_.end())
      refuse("this graph has a literal twice in an exactly_one");
    if (std::ranges::none_of(variables_, [&](auto v) { return has_vertex(v); })) return add_vertex();
    std::vector<std::int32_t> states;
    for (auto variable : variables_) states.push_back(out_.on_state_[variable]);
    std::ranges::sort(states);
    const auto vertex = std::ranges::upper_bound(problem_.first, states[0]) - problem_.first.begin() - 1;
    const bool same = states[0] != PatternGraph::kNone && states[0] == problem_.first[vertex] &&
                      static_cast<std::int32_t>(states.size()) == problem_.labels(vertex) &&
                      states.back() == problem_.first[vertex + 1] - 1;
    if (!same) refuse("in this graph exactly_one groups overlap");
  }

  void add_vertex() {
    scores_.clear();
    for (auto variable : variables_) {
      out_.on_state_[variable] = problem_.states() + static_cast<std::int32_t>(scores_.size());
      scores_.push_back(graph_.score[variable]);
    }
    problem_.add_vertex(scores_);
  }

  void add_binary(std::int32_t variable) {
    const double scores[] = {0.0, graph_.score[variable]};
    out_.on_state_[variable] = problem_.states() + 1;
    problem_.add_vertex(scores);
  }

  void mark_output(const FactorView& factor) {
    const auto output = factor.literals.back();
    if ((output & 1) || has_vertex(output >> 1) || uses_[output >> 1] != 1)
      refuse("in this graph the output of an and_with_output is negated or in another factor");
    if (factor.degree() == 1) return add_constant(output >> 1);
    is_output_[output >> 1] = 1;
  }

  // The AND of nothing is on.
  void add_constant(std::int32_t variable) {
    variables_.assign(1, variable);
    add_vertex();
  }

  void restrict_to(std::int32_t state, bool on) {
    if (!on) {
      problem_.state_score[state] = -kInfinity;
      return;
    }
    const auto v = vertex_[state];
    for (auto other = problem_.first[v]; other < problem_.first[v + 1]; ++other)
      if (other != state) problem_.state_score[other] = -kInfinity;
  }

  std::int32_t state_of(std::int32_t literal) const {
    const auto on = out_.on_state_[literal >> 1];
    if (on == PatternGraph::kNone) refuse("in this graph an output is scored by another factor");
    if (!(literal & 1)) return on;
    const auto v = vertex_[on];
    if (problem_.labels(v) != 2) refuse("this graph negates a state that has not exactly one alternative");
    return problem_.first[v] + problem_.first[v + 1] - 1 - on;
  }

  void read_states(std::span<const std::int32_t> literals) {
    states_.clear();
    for (auto literal : literals) states_.push_back(state_of(literal));
  }

  // Of a table or a sequence: the states, and where those of each variable begin.
  void read_variables(const FactorView& factor) {
    read_states(factor.literals);
    axis_begin_.assign(1, 0);
    for (auto size : factor.shape) axis_begin_.push_back(axis_begin_.back() + static_cast<std::size_t>(size));
  }

  void add_factor(const FactorView& factor) {
    switch (factor.kind) {
      case kind_of<graph::ExactlyOne>: return;
      case kind_of<graph::AndWithOutput>: return add_and(factor);
      case kind_of<graph::Reward>:
        read_states(factor.literals);
        return problem_.add_pattern(states_, factor.data[0]);
      case kind_of<graph::AtLeastOne>: return add_clause(factor);
      case kind_of<graph::Table>: return add_table(factor);
      case kind_of<graph::Sequence>: return add_sequence(factor);
      default: refuse(std::string("this graph has a factor of the kind ") + graph::name_of(factor.kind));
    }
  }

  // A clause forbids that all its literals are off.
  void add_clause(const FactorView& factor) {
    states_.clear();
    for (auto literal : factor.literals) states_.push_back(state_of(literal ^ 1));
    problem_.add_pattern(states_, -kInfinity);
  }

  void add_and(const FactorView& factor) {
    if (factor.degree() == 1) return;
    const auto output = factor.literals.back() >> 1;
    read_states(factor.literals.first(factor.literals.size() - 1));
    out_.outputs_.push_back({output, states_});
    const auto evidence = graph_.evidence[output];
    problem_.add_pattern(states_, evidence == 0 ? -kInfinity : graph_.score[output]);
    if (evidence == 1)
      for (auto state : states_) restrict_to(state, true);
  }

  // The states that the literals of one variable of a table name, in the order of the table's cells.
  std::span<const std::int32_t> axis(const FactorView& factor, std::size_t variable) {
    const auto size = static_cast<std::size_t>(factor.shape[variable]);
    const auto states = std::span(states_).subspan(axis_begin_[variable], size);
    sorted_.assign(states.begin(), states.end());
    std::ranges::sort(sorted_);
    const auto v = vertex_[sorted_[0]];
    bool all = static_cast<std::int32_t>(size) == problem_.labels(v);
    for (std::size_t i = 0; i < size; ++i) all = all && sorted_[i] == problem_.first[v] + static_cast<std::int32_t>(i);
    if (!all) refuse("in this graph a table's states are not those of one variable");
    return states;
  }

  void add_table(const FactorView& factor) {
    read_variables(factor);
    const auto order = factor.shape.size();
    if (order == 1) return add_scores(axis(factor, 0), factor.data);
    if (order == 2) return add_pair(axis(factor, 0), axis(factor, 1), factor.data);
    std::vector<std::span<const std::int32_t>> axes;
    for (std::size_t i = 0; i < order; ++i) axes.push_back(axis(factor, i));
    std::vector<std::int32_t> pattern(order);
    for (std::size_t cell = 0; cell < factor.data.size(); ++cell) {
      if (factor.data[cell] == 0.0) continue;
      for (std::size_t i = order, rest = cell; i-- > 0; rest /= axes[i].size())
        pattern[i] = axes[i][rest % axes[i].size()];
      problem_.add_pattern(pattern, factor.data[cell]);
    }
  }

  void add_sequence(const FactorView& factor) {
    read_variables(factor);
    const auto length = factor.shape.size();
    auto before = axis(factor, 0);
    auto scores = factor.data.subspan(before.size());
    add_scores(before, factor.data.first(before.size()));
    for (std::size_t i = 1; i < length; ++i) {
      const auto here = axis(factor, i);
      graph::poll(64 + static_cast<std::int64_t>(before.size() * here.size()));
      const auto size = before.size() * here.size();
      add_pair(before, here, scores.first(size));
      scores = scores.subspan(size);
      before = here;
    }
    add_scores(before, scores);
  }

  void add_scores(std::span<const std::int32_t> states, std::span<const double> scores) {
    for (std::size_t i = 0; i < states.size(); ++i) problem_.state_score[states[i]] += scores[i];
  }

  void add_pair(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns,
                std::span<const double> scores) {
    const auto u = vertex_[rows[0]], v = vertex_[columns[0]];
    table_.resize(scores.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto row = static_cast<std::size_t>(rows[i] - problem_.first[u]);
        const auto column = static_cast<std::size_t>(columns[j] - problem_.first[v]);
        table_[row * columns.size() + column] = scores[i * columns.size() + j];
      }
    problem_.add_edge(u, v, table_);
  }

  const Graph& graph_;
  PatternGraph& out_;
  PatternProblem& problem_;
  std::vector<std::int32_t> uses_;  // of each variable by factors
  std::vector<std::uint8_t> is_output_;
  std::vector<std::int32_t> vertex_, variables_, states_, sorted_;
  std::vector<std::size_t> axis_begin_;
  std::vector<double> scores_, table_;
};

PatternGraph::PatternGraph(const Graph& graph) { PatternReader(graph, *this).run(); }

std::vector<std::int32_t> PatternGraph::labels(std::span<const double> values) const {
  const auto vertex = problem.vertex_of_states();
  std::vector<std::int32_t> label(static_cast<std::size_t>(problem.vertices()), 0);
  for (std::size_t variable = 0; variable < values.size(); ++variable)
    if (const auto state = on_state_[variable]; state != kNone && values[variable] > 0.5)
      label[vertex[state]] = state - problem.first[vertex[state]];
  return label;
}

std::vector<double> PatternGraph::values(std::span<const std::int32_t> label) const {
  std::vector<std::uint8_t> taken(problem.states(), 0);
  for (std::int32_t v = 0; v < problem.vertices(); ++v) taken[problem.first[v] + label[v]] = 1;
  std::vector<double> values(on_state_.size(), 0.0);
  for (std::size_t variable = 0; variable < values.size(); ++variable)
    if (on_state_[variable] != kNone) values[variable] = taken[on_state_[variable]];
  for (const Output& output : outputs_)
    values[output.variable] = std::ranges::all_of(output.states, [&](auto state) { return taken[state]; });
  return values;
}

}  // namespace treaty::solve
