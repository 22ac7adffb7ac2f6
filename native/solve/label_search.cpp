#include "solve/label_search.hpp"

#include <algorithm>
#include <numeric>

namespace treaty {

LabelSearch::LabelSearch(const PatternProblem& problem)
    : problem_(problem),
      edge_begin_(problem.vertices() + 1, 0),
      edge_of_(2 * problem.edges.size()),
      pattern_begin_(problem.states() + 1, 0),
      pattern_of_(problem.pattern_states.size()),
      missing_(problem.patterns()),
      prohibitive_(prohibitive_score(problem)) {
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

void LabelSearch::move(std::int32_t v, std::int32_t from, std::int32_t to) {
  const auto first = problem_.first[v];
  for (auto i = pattern_begin_[first + from]; i < pattern_begin_[first + from + 1]; ++i) ++missing_[pattern_of_[i]];
  for (auto i = pattern_begin_[first + to]; i < pattern_begin_[first + to + 1]; ++i) --missing_[pattern_of_[i]];
}

double LabelSearch::climb(std::span<std::int32_t> label) {
  constexpr double kLeast = 1e-12;  // relative to all scores: a smaller gain may be rounding
  count_missing(label);
  const auto vertices = problem_.vertices();
  for (std::int32_t v = 0, settled = 0; settled < vertices; v = v + 1 < vertices ? v + 1 : 0) {
    rank_labels(v, label);
    const auto best = static_cast<std::int32_t>(
        std::max_element(value_.begin(), value_.begin() + problem_.labels(v)) - value_.begin());
    ++settled;
    if (value_[best] - value_[label[v]] <= kLeast * prohibitive_) continue;
    move(v, label[v], best);
    label[v] = best;
    settled = 1;
  }
  return score(label);
}

double LabelSearch::score(std::span<const std::int32_t> label) {
  count_missing(label);
  double score = problem_.score_without_patterns(label);
  for (std::int32_t p = 0; p < problem_.patterns(); ++p)
    if (missing_[p] == 0) score += problem_.pattern_weight[p];
  return score;
}

}  // namespace treaty
