#include "solve/search/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph/stop.hpp"

namespace treaty::solve {

DenseDual::DenseDual(const PatternProblem& problem)
    : alive(problem.states()),
      problem_(problem),
      begin_(problem.vertices() + 1, 0),
      arcs_(2 * problem.edges.size()),
      value_(problem.state_score),
      best_(problem.vertices(), 0.0) {
  for (std::int32_t s = 0; s < problem.states(); ++s) alive[s] = problem.state_score[s] != -kInfinity;
  for (const auto& edge : problem.edges) ++begin_[edge.u + 1], ++begin_[edge.v + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  cells_.reserve(2 * problem.cells.size());
  auto place = begin_;
  std::int64_t messages = 0;
  for (const auto& edge : problem.edges) {
    const auto table = problem.table(edge);
    const auto rows = problem.labels(edge.u), columns = problem.labels(edge.v);
    const auto there = place[edge.u]++, back = place[edge.v]++;
    arc_of_edge_.push_back(there);
    arcs_[there] = {edge.v, static_cast<std::int32_t>(back), static_cast<std::int64_t>(cells_.size()), messages};
    cells_.insert(cells_.end(), table.begin(), table.end());
    messages += rows;
    arcs_[back] = {edge.u, static_cast<std::int32_t>(there), static_cast<std::int64_t>(cells_.size()), messages};
    for (std::int32_t b = 0; b < columns; ++b)
      for (std::int32_t a = 0; a < rows; ++a) cells_.push_back(table[static_cast<std::size_t>(a) * columns + b]);
    messages += columns;
  }
  message.assign(static_cast<std::size_t>(messages), 0.0);
}

// Tables give their maxima to the labels of a vertex: they are worth nothing beside it any more. A label whose row is
// forbidden throughout is dead.
void DenseDual::collect(std::int32_t v) {
  const auto first = problem_.first[v], labels = problem_.labels(v);
  for (std::int32_t x = 0; x < labels; ++x) value_[first + x] = problem_.state_score[first + x];
  for (auto i = begin_[v]; i < begin_[v + 1]; ++i) {
    const auto& arc = arcs_[i];
    graph::poll(std::int64_t{labels} * problem_.labels(arc.to));
    const auto other = problem_.first[arc.to], size = problem_.labels(arc.to);
    const double* const theirs = &message[arcs_[arc.back].first];
    for (std::int32_t x = 0; x < labels; ++x) {
      if (!alive[first + x]) continue;
      const double* const row = &cells_[arc.cells + std::int64_t{x} * size];
      double most = -kInfinity;
      for (std::int32_t y = 0; y < size; ++y)
        if (alive[other + y]) most = std::max(most, row[y] - theirs[y]);
      if (most == -kInfinity) {
        alive[first + x] = 0;
        continue;
      }
      message[arc.first + x] = most;
      value_[first + x] += most;
    }
  }
}

bool DenseDual::sweep(bool forward) {
  const auto n = problem_.vertices();
  for (std::int32_t k = 0; k < n; ++k) {
    const auto v = forward ? k : n - 1 - k;
    const auto first = problem_.first[v], labels = problem_.labels(v);
    collect(v);
    bool any = false;
    for (std::int32_t x = 0; x < labels; ++x) any = any || alive[first + x];
    if (!any) return false;
    std::int64_t later = 0;
    for (auto i = begin_[v]; i < begin_[v + 1]; ++i) later += (arcs_[i].to > v) == forward;
    const auto degree = begin_[v + 1] - begin_[v];
    const double share = 1.0 / static_cast<double>(std::max<std::int64_t>({later, degree - later, 1}));
    for (auto i = begin_[v]; i < begin_[v + 1]; ++i) {
      if ((arcs_[i].to > v) != forward) continue;
      for (std::int32_t x = 0; x < labels; ++x)
        if (alive[first + x]) message[arcs_[i].first + x] -= share * value_[first + x];
    }
  }
  return true;
}

double DenseDual::bound() {
  double total = 0.0, size = 0.0;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    const auto first = problem_.first[v], labels = problem_.labels(v);
    for (std::int32_t x = 0; x < labels; ++x) value_[first + x] = problem_.state_score[first + x];
    for (auto i = begin_[v]; i < begin_[v + 1]; ++i) {
      const auto& arc = arcs_[i];
      const auto other = problem_.first[arc.to], width = problem_.labels(arc.to);
      graph::poll(std::int64_t{labels} * width);
      const double *const mine = &message[arc.first], *const theirs = &message[arcs_[arc.back].first];
      double most = -kInfinity, largest = 0.0;
      for (std::int32_t x = 0; x < labels; ++x) {
        if (!alive[first + x]) continue;
        value_[first + x] += mine[x];
        largest = std::max(largest, std::abs(mine[x]));
        if (arc.to < v) continue;
        const double* const row = &cells_[arc.cells + std::int64_t{x} * width];
        for (std::int32_t y = 0; y < width; ++y)
          if (alive[other + y]) most = std::max(most, row[y] - theirs[y] - mine[x]);
      }
      size += 2.0 * largest;
      if (arc.to < v) continue;
      total += most;
      if (most != -kInfinity) size += std::abs(most);
    }
    best_[v] = -kInfinity;
    for (std::int32_t x = 0; x < labels; ++x)
      if (alive[first + x]) best_[v] = std::max(best_[v], value_[first + x]);
    total += best_[v];
    if (best_[v] != -kInfinity) size += std::abs(best_[v]);
  }
  error_ = 4.0 * std::numeric_limits<double>::epsilon() * size;
  return total;
}

// Whether label a is at least as good as b whatever the neighbors do.
bool DenseDual::beats(std::int32_t v, std::int32_t a, std::int32_t b) const {
  const auto first = problem_.first[v];
  double least = problem_.state_score[first + a] - problem_.state_score[first + b], size = std::abs(least);
  for (auto i = begin_[v]; i < begin_[v + 1]; ++i) {
    const auto& arc = arcs_[i];
    const auto other = problem_.first[arc.to], width = problem_.labels(arc.to);
    const double *const ours = &cells_[arc.cells + std::int64_t{a} * width], *const theirs = &cells_[arc.cells + std::int64_t{b} * width];
    double low = kInfinity;
    for (std::int32_t y = 0; y < width; ++y)
      if (alive[other + y] && theirs[y] != -kInfinity) low = std::min(low, ours[y] - theirs[y]);
    if (low == -kInfinity) return false;
    if (low == kInfinity) return true;  // b is forbidden beside all of them
    least += low;
    size += std::abs(low);
  }
  return least > 1e-12 * size;
}

std::int64_t DenseDual::remove_dead_ends() {
  std::int64_t removed = 0;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v)
    for (std::int32_t b = 0; b < problem_.labels(v); ++b) {
      if (!alive[problem_.first[v] + b]) continue;
      for (std::int32_t a = 0; a < problem_.labels(v); ++a) {
        graph::poll(64);
        if (a == b || !alive[problem_.first[v] + a] || !beats(v, a, b)) continue;
        alive[problem_.first[v] + b] = 0;
        ++removed;
        break;
      }
    }
  return removed;
}

double DenseDual::reduced(std::int32_t edge, double* cells) const {
  const auto& arc = arcs_[arc_of_edge_[edge]];
  const auto u = problem_.edges[edge].u;
  const auto rows = problem_.labels(u), columns = problem_.labels(arc.to);
  const double *const mine = &message[arc.first], *const theirs = &message[arcs_[arc.back].first];
  double most = -kInfinity;
  for (std::int32_t x = 0; x < rows; ++x)
    for (std::int32_t y = 0; y < columns; ++y) {
      const auto cell = std::int64_t{x} * columns + y;
      cells[cell] = cells_[arc.cells + cell] - mine[x] - theirs[y];
      if (alive[problem_.first[u] + x] && alive[problem_.first[arc.to] + y]) most = std::max(most, cells[cell]);
    }
  return most;
}

void DenseDual::set_table(std::int32_t edge, const double* cells) {
  const auto& arc = arcs_[arc_of_edge_[edge]];
  const auto rows = problem_.labels(problem_.edges[edge].u), columns = problem_.labels(arc.to);
  const auto back = arcs_[arc.back].cells;
  for (std::int32_t x = 0; x < rows; ++x)
    for (std::int32_t y = 0; y < columns; ++y) {
      cells_[arc.cells + std::int64_t{x} * columns + y] = cells[std::int64_t{x} * columns + y];
      cells_[back + std::int64_t{y} * rows + x] = cells[std::int64_t{x} * columns + y];
    }
}

bool is_dense(const PatternProblem& problem) {
  constexpr std::size_t kTables = 4, kMostCells = std::size_t{1} << 24;
  return problem.patterns() == 0 && problem.vertices() > 0 &&
         problem.edges.size() >= kTables * static_cast<std::size_t>(problem.vertices()) && problem.cells.size() <= kMostCells;
}

}  // namespace treaty::solve
