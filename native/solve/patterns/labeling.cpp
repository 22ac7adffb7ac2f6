#include "solve/patterns/labeling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/stop.hpp"

namespace treaty::solve {

Labeling::Labeling(const PatternProblem& problem)
    : problem_(problem),
      vertex_of_(problem.vertex_of_states()),
      missing_(problem.patterns()),
      label_(problem.vertices(), 0),
      breach_(problem.states(), 0),
      value_(problem.states(), 0.0),
      cost_(problem.vertices(), 1),
      prohibitive_(prohibitive_score(problem)),
      least_(1e-12 * prohibitive_) {
  add_arcs();
  index_patterns();
  find_neighbors();
  for (std::int32_t v = 0; v < vertices(); ++v) {
    std::int32_t count = 0;
    for (auto s = first(v); s < first(v + 1); ++s) count += allowed(s);
    has_labels_ = has_labels_ && count > 0;
    if (count > 1) open_.push_back(v);
  }
  double sum = 0.0, count = 0.0;
  for (const auto* scores : {&problem.state_score, &problem.cells, &problem.pattern_weight})
    for (double score : *scores)
      if (score != -kInfinity && score != 0.0) sum += std::abs(score), count += 1.0;
  if (count > 0.0) typical_ = sum / count;
  recompute();
}

// Each table in both orientations, so that a move reads rows.
void Labeling::add_arcs() {
  arc_begin_.assign(vertices() + 1, 0);
  for (const auto& edge : problem_.edges) ++arc_begin_[edge.u + 1], ++arc_begin_[edge.v + 1];
  std::partial_sum(arc_begin_.begin(), arc_begin_.end(), arc_begin_.begin());
  arcs_.resize(2 * problem_.edges.size());
  cells_.reserve(2 * problem_.cells.size());
  const bool hard = std::ranges::find(problem_.cells, -kInfinity) != problem_.cells.end();
  auto place = arc_begin_;
  auto push = [&](double score) {
    cells_.push_back(score == -kInfinity ? 0.0 : score);
    if (hard) forbids_.push_back(score == -kInfinity);
  };
  for (const auto& edge : problem_.edges) {
    const auto table = problem_.table(edge);
    graph::poll(32 + 4 * static_cast<std::int64_t>(table.size()));
    const auto rows = labels(edge.u), columns = labels(edge.v);
    arcs_[place[edge.u]++] = {edge.v, static_cast<std::int64_t>(cells_.size())};
    for (double score : table) push(score);
    arcs_[place[edge.v]++] = {edge.u, static_cast<std::int64_t>(cells_.size())};
    for (std::int32_t b = 0; b < columns; ++b)
      for (std::int32_t a = 0; a < rows; ++a) push(table[static_cast<std::size_t>(a) * columns + b]);
    cost_[edge.u] += columns;
    cost_[edge.v] += rows;
  }
  for (std::int32_t v = 0; v < vertices(); ++v)
    std::sort(arcs_.begin() + arc_begin_[v], arcs_.begin() + arc_begin_[v + 1],
              [](const Arc& a, const Arc& b) { return a.to < b.to; });
}

void Labeling::index_patterns() {
  pattern_begin_.assign(problem_.states() + 1, 0);
  pattern_of_.resize(problem_.pattern_states.size());
  for (auto state : problem_.pattern_states) ++pattern_begin_[state + 1];
  std::partial_sum(pattern_begin_.begin(), pattern_begin_.end(), pattern_begin_.begin());
  auto place = pattern_begin_;
  for (std::int32_t p = 0; p < problem_.patterns(); ++p)
    for (graph::poll(32); auto state : problem_.states_of(p)) {
      pattern_of_[place[state]++] = p;
      cost_[vertex_of_[state]] += 2;
    }
}

void Labeling::find_neighbors() {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const auto& edge : problem_.edges) pairs.insert(pairs.end(), {{edge.u, edge.v}, {edge.v, edge.u}});
  for (std::int32_t p = 0; p < problem_.patterns(); ++p)
    for (auto a : problem_.states_of(p))
      for (graph::poll(16 * static_cast<std::int64_t>(problem_.states_of(p).size())); auto b : problem_.states_of(p))
        if (a != b) pairs.emplace_back(vertex_of_[a], vertex_of_[b]);
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  neighbor_begin_.assign(vertices() + 1, 0);
  for (const auto& [from, to] : pairs) {
    ++neighbor_begin_[from + 1];
    neighbor_of_.push_back(to);
  }
  std::partial_sum(neighbor_begin_.begin(), neighbor_begin_.end(), neighbor_begin_.begin());
}

void Labeling::set(std::span<const std::int32_t> label) {
  label_.assign(label.begin(), label.end());
  recompute();
}

void Labeling::recompute() {
  std::ranges::fill(breach_, 0);
  for (std::int32_t s = 0; s < problem_.states(); ++s) {
    value_[s] = allowed(s) ? problem_.state_score[s] : 0.0;
    breach_[s] = !allowed(s);
  }
  score_ = 0.0;
  breaches_ = 0;
  for (std::int32_t v = 0; v < vertices(); ++v) {
    score_ += value_[first(v) + label_[v]];
    breaches_ += breach_[first(v) + label_[v]];
  }
  for (std::int32_t v = 0; v < vertices(); ++v)
    for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i) {
      const auto& arc = arcs_[i];
      graph::poll(4 + labels(arc.to));
      add_row(arc, label_[v], 1);
      if (arc.to < v) continue;
      const auto cell = arc.cells + std::int64_t{label_[v]} * labels(arc.to) + label_[arc.to];
      score_ += cells_[cell];
      if (!forbids_.empty()) breaches_ += forbids_[cell];
    }
  for (std::int32_t p = 0; p < problem_.patterns(); ++p) {
    missing_[p] = 0;
    for (auto s : problem_.states_of(p)) missing_[p] += label_[vertex_of_[s]] != s - first(vertex_of_[s]);
    if (missing_[p] > 1) continue;
    for (auto s : problem_.states_of(p)) {
      const bool taken = label_[vertex_of_[s]] == s - first(vertex_of_[s]);
      if (taken == (missing_[p] == 0)) add_to(s, p, 1);
    }
    if (missing_[p] > 0) continue;
    if (problem_.pattern_weight[p] == -kInfinity) ++breaches_;
    else score_ += problem_.pattern_weight[p];
  }
  moves_ = 0;
}

double Labeling::exact_score() const { return problem_.score(label_); }

void Labeling::add_row(const Arc& arc, std::int32_t label, int sign) {
  const auto size = labels(arc.to);
  const auto begin = arc.cells + std::int64_t{label} * size;
  double* const value = &value_[first(arc.to)];
  for (std::int32_t x = 0; x < size; ++x) value[x] += sign * cells_[begin + x];
  if (forbids_.empty()) return;
  std::int32_t* const breach = &breach_[first(arc.to)];
  for (std::int32_t x = 0; x < size; ++x) breach[x] += sign * forbids_[begin + x];
}

void Labeling::add_to(std::int32_t state, std::int32_t p, int sign) {
  const double weight = problem_.pattern_weight[p];
  if (weight == -kInfinity) breach_[state] += sign;
  else value_[state] += sign * weight;
}

// A state of a pattern is left (sign -1) or taken (1): what that means to the other states, which are worth the
// pattern's weight if all but themselves are taken.
void Labeling::count_pattern(std::int32_t p, std::int32_t state, int sign) {
  const auto before = missing_[p];
  missing_[p] -= sign;
  const auto fewest = std::min(before, missing_[p]);
  if (fewest > 1) return;
  for (auto other : problem_.states_of(p)) {
    if (other == state) continue;
    const bool taken = label_[vertex_of_[other]] == other - first(vertex_of_[other]);
    if (taken == (fewest == 0)) add_to(other, p, sign);
  }
}

void Labeling::move(std::int32_t v, std::int32_t to) {
  constexpr std::int64_t kRecompute = 1 << 16;  // rounding adds up
  const auto from = label_[v];
  if (from == to) return;
  const auto here = first(v) + from, there = first(v) + to;
  score_ += value_[there] - value_[here];
  breaches_ += breach_[there] - breach_[here];
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i) {
    const auto& arc = arcs_[i];
    const auto size = labels(arc.to);
    const double* const old = &cells_[arc.cells + std::int64_t{from} * size];
    const double* const now = &cells_[arc.cells + std::int64_t{to} * size];
    double* const value = &value_[first(arc.to)];
    for (std::int32_t x = 0; x < size; ++x) value[x] += now[x] - old[x];
    if (forbids_.empty()) continue;
    const std::uint8_t* const was = &forbids_[arc.cells + std::int64_t{from} * size];
    const std::uint8_t* const is = &forbids_[arc.cells + std::int64_t{to} * size];
    std::int32_t* const breach = &breach_[first(arc.to)];
    for (std::int32_t x = 0; x < size; ++x) breach[x] += is[x] - was[x];
  }
  for (auto i = pattern_begin_[here]; i < pattern_begin_[here + 1]; ++i) count_pattern(pattern_of_[i], here, -1);
  label_[v] = to;
  for (auto i = pattern_begin_[there]; i < pattern_begin_[there + 1]; ++i) count_pattern(pattern_of_[i], there, 1);
  if (++moves_ >= kRecompute) recompute();
}

const Labeling::Arc* Labeling::find_arc(std::int32_t u, std::int32_t v) const {
  const auto begin = arcs_.begin() + arc_begin_[u], end = arcs_.begin() + arc_begin_[u + 1];
  const auto found = std::lower_bound(begin, end, v, [](const Arc& arc, std::int32_t to) { return arc.to < to; });
  return found == end || found->to != v ? nullptr : &*found;
}

void Labeling::add_pair(std::int32_t u, std::int32_t v, double price, std::span<double> cells) const {
  const auto columns = labels(v);
  if (const auto* arc = find_arc(u, v))
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] += cells_[arc->cells + static_cast<std::int64_t>(i)];
      if (!forbids_.empty() && forbids_[arc->cells + static_cast<std::int64_t>(i)]) cells[i] -= price;
    }
  if (problem_.patterns() == 0) return;
  for (auto s = first(u); s < first(u + 1); ++s)
    for (auto i = pattern_begin_[s]; i < pattern_begin_[s + 1]; ++i) {
      const auto p = pattern_of_[i];
      if (missing_[p] > 2) continue;
      std::int32_t missing = missing_[p] - (label_[u] != s - first(u)), mate = -1;
      for (auto other : problem_.states_of(p))
        if (vertex_of_[other] == v) mate = other - first(v);
      if (mate < 0) continue;
      missing -= label_[v] != mate;
      if (missing > 0) continue;
      const double weight = problem_.pattern_weight[p];
      cells[static_cast<std::size_t>(s - first(u)) * columns + mate] += weight == -kInfinity ? -price : weight;
    }
}

}  // namespace treaty::solve
