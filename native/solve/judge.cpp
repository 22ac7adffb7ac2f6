#include "solve/judge.hpp"

#include <vector>

#include "graph/factors.hpp"

namespace treaty::solve {

Unit ScoreRange::unit() const {
  constexpr double kFar = 1e4;
  constexpr int kBias = 1023;
  Unit unit;
  if (largest == 0.0) return unit;
  unit.least = std::min(largest, kFar * smallest);
  const auto first = exponent_of(smallest), last = exponent_of(largest);
  std::int64_t scores = 0, seen = 0;
  for (auto e = first; e <= last; ++e) scores += count_[e];
  auto e = first;
  const auto size = [](std::size_t exponent) { return std::ldexp(1.0, static_cast<int>(exponent) - kBias); };
  while (4 * (seen + count_[e]) < 3 * scores) seen += count_[e++];
  unit.typical = std::max(smallest, size(e));
  unit.most = 0.0;
  for (e = first; e <= last && size(e) <= kFar * unit.typical; ++e)
    if (count_[e] > 0) unit.most += static_cast<double>(count_[e]) * 2.0 * size(e);
  return unit;
}

ScoreRange range_of(const graph::Graph& graph) {
  ScoreRange range;
  range.add(graph.score);
  for (std::int32_t f = 0; f < graph.factors(); ++f)
    if (visit(graph.kind[f], [](auto factor) { return factor.data_are_scores; })) range.add(graph.factor(f).data);
  return range;
}

void judge(Outcome& outcome, double tolerance, bool solved, double rounding) {
  if (std::isnan(outcome.bound)) outcome.bound = kInfinity;
  if (outcome.objective == -kInfinity) {
    outcome.status = outcome.bound == -kInfinity ? Status::Infeasible : Status::Unknown;
    return;
  }
  const double gap = outcome.bound - outcome.objective;
  if (gap > tolerance) {
    outcome.status = solved ? Status::Fractional : Status::Feasible;
  } else {
    outcome.status = Status::Optimal;
    constexpr double kTiny = 1e-6;  // of the tolerance: the sizes that prices ran up to are no measure
    if (gap <= std::min(2.0 * rounding, kTiny * tolerance)) outcome.bound = outcome.objective;
  }
}

double handy_scale(const graph::Graph& graph) {
  constexpr double kTiny = 1e-200, kHuge = 1e80;
  double largest = 0.0;
  const auto see = [&](std::span<const double> scores) {
    for (double score : scores)
      if (score != -kInfinity) largest = std::max(largest, std::abs(score));
  };
  see(graph.score);
  for (std::int32_t f = 0; f < graph.factors(); ++f)
    if (visit(graph.kind[f], [](auto factor) { return factor.data_are_scores; })) see(graph.factor(f).data);
  if (largest == 0.0 || (largest >= kTiny && largest <= kHuge) || !graph.oracles.empty()) return 1.0;
  return std::ldexp(1.0, std::min(1000, -std::ilogb(largest)));
}

graph::Graph rescaled(const graph::Graph& graph, double by) {
  auto result = graph;
  for (double& score : result.score) score *= by;
  for (std::int32_t f = 0; f < graph.factors(); ++f)
    if (visit(graph.kind[f], [](auto factor) { return factor.data_are_scores; }))
      for (auto i = graph.data_begin[f]; i < graph.data_begin[f + 1]; ++i) result.data[i] *= by;
  return result;
}

namespace {

bool follows(const graph::Graph& graph, std::span<const std::int8_t> values) {
  for (std::size_t v = 0; v < values.size(); ++v)
    if (graph.evidence[v] >= 0 && graph.evidence[v] != values[v]) return false;
  for (std::size_t c = 0; c < graph.categorical_first.size(); ++c) {
    const auto states = values.subspan(graph.categorical_first[c], graph.categorical_size[c]);
    if (std::ranges::count(states, std::int8_t{1}) != 1) return false;
  }
  return true;
}

}  // namespace

Verdict verdict_on(const graph::Graph& graph, std::span<const std::int8_t> values, ScoreRange& hidden) {
  if (!follows(graph, values)) return {};
  Sum score;
  double size = 0.0;
  const auto add = [&](double term) {
    score.add(term);
    size += std::abs(term);
  };
  for (std::size_t v = 0; v < values.size(); ++v)
    if (values[v]) add(graph.score[v]);
  std::vector<std::int32_t> on;
  std::vector<std::int8_t> slots;
  for (std::int32_t f = 0; f < graph.factors(); ++f) {
    const auto factor = graph.factor(f);
    slots.clear(), on.clear();
    for (std::size_t i = 0; i < factor.literals.size(); ++i) {
      slots.push_back(static_cast<std::int8_t>(values[factor.literals[i] >> 1] ^ (factor.literals[i] & 1)));
      if (slots.back()) on.push_back(static_cast<std::int32_t>(i));
    }
    const double own = visit(factor.kind, [&](auto kind) {
      if constexpr (kind.structured) return kind.oracle(factor)->evaluate(on);
      else return kind.evaluate(factor, slots);
    });
    if (own == -kInfinity) return {};
    if (factor.custom) hidden.add(own);
    add(own);
  }
  return {score.value(), size};
}

bool is_proof(const Unit& unit, const Verdict& answer, double bound, double relative) {
  constexpr double kVisible = 1e-2;  // of a typical score: a rounding error of this size hides no difference that matters
  const double gap = bound - answer.score, rounding = rounding_of(answer.size);
  const double tolerance = tolerance_of(answer.score, unit, relative);
  if (rounding <= tolerance) return gap <= tolerance;
  return rounding <= kVisible * unit.typical && gap <= rounding;
}

}  // namespace treaty::solve
