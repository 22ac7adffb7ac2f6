// Soft arc consistency: tables of three and more vertices, and sweeps.
#include <algorithm>
#include <utility>

#include "graph/stop.hpp"
#include "solve/search/consistency.hpp"

namespace treaty::solve {

using Cost = Consistency::Cost;
constexpr Cost kDead = Consistency::kNothing;

// Writes the table's costs beside what it gave to `reduced_`: cells of labels that are alive, which `axes_` lists.
void Consistency::reduce(const Large& table) {
  axes_.resize(std::max(axes_.size(), table.vertices.size()));
  reduced_.assign(1, 0);
  place_.assign(1, table.cells);
  std::int64_t cells = 1;
  for (auto v : table.vertices) cells *= problem_.labels(v);
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    const auto v = table.vertices[i], labels = problem_.labels(v);
    cells /= labels;
    axes_[i].clear();
    for (std::int32_t x = 0; x < labels; ++x)
      if (alive_[problem_.first[v] + x]) axes_[i].push_back(x);
    const Cost* const given = this->given(table.given[i]);
    most_.clear(), next_place_.clear();
    for (std::size_t k = 0; k < reduced_.size(); ++k)
      for (auto x : axes_[i]) {
        most_.push_back(reduced_[k] - given[x]);
        next_place_.push_back(place_[k] + cells * x);
      }
    std::swap(reduced_, most_);
    std::swap(place_, next_place_);
  }
  for (std::size_t k = 0; k < reduced_.size(); ++k) reduced_[k] += cells_[static_cast<std::size_t>(place_[k])];
  work_ += 2 * static_cast<std::int64_t>(reduced_.size());
}

// How many cells of `reduced_` belong to a label of one of the table's vertices, one after the other.
std::size_t Consistency::stride(const Large& table, std::size_t axis) const {
  std::size_t cells = 1;
  for (auto i = axis + 1; i < table.vertices.size(); ++i) cells *= axes_[i].size();
  return cells;
}

// Writes the minima of `reduced_` by label of one of the table's vertices to `row_`.
void Consistency::axis_minima(const Large& table, std::size_t axis) {
  const auto width = stride(table, axis);
  row_.assign(axes_[axis].size(), kDead);
  const Cost* cells = reduced_.data();
  for (const Cost* const end = cells + reduced_.size(); cells != end;)
    for (auto& least : row_) {
      least = std::min(least, *std::min_element(cells, cells + width));
      cells += width;
    }
  work_ += static_cast<std::int64_t>(reduced_.size());
}

// Adds to `reduced_` by label of one of the table's vertices.
void Consistency::shift(const Large& table, std::size_t axis, std::span<const Cost> by) {
  const auto width = stride(table, axis);
  Cost* cell = reduced_.data();
  for (const Cost* const end = cell + reduced_.size(); cell != end;)
    for (const Cost more : by)
      for (std::size_t j = 0; j < width; ++j) *cell++ += more;
  work_ += static_cast<std::int64_t>(reduced_.size());
}

// A large table, reduced, gives its minima to the labels of one of its vertices.
bool Consistency::collect(const Large& table, std::size_t axis) {
  const auto first = problem_.first[table.vertices[axis]];
  axis_minima(table, axis);
  bool changed = false;
  for (std::size_t a = 0; a < row_.size(); ++a) {
    row_[a] = -std::min(row_[a], top_);
    if (row_[a] == 0) continue;
    const auto x = axes_[axis][a];
    raise(first + x, given(table.given[axis])[x], -row_[a]);
    changed = true;
  }
  if (changed) shift(table, axis, row_);
  return changed;
}

// The same with what the labels of its other vertices lend; they get back what is not needed.
bool Consistency::collect_fully(const Large& table, std::size_t axis) {
  reduce(table);
  lent_.resize(std::max(lent_.size(), table.vertices.size()));
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    lent_[i].clear();
    for (auto x : axes_[i]) lent_[i].push_back(cost_[problem_.first[table.vertices[i]] + x]);
    if (i != axis) shift(table, i, lent_[i]);
  }
  axis_minima(table, axis);
  bool any = false;
  for (std::size_t a = 0; a < row_.size(); ++a) {
    lent_[axis][a] = -std::min(row_[a], top_);
    any = any || lent_[axis][a] != 0;
  }
  if (!any) return false;
  shift(table, axis, lent_[axis]);
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    if (i != axis) {
      axis_minima(table, i);
      for (std::size_t b = 0; b < row_.size(); ++b) row_[b] = -std::min(row_[b], lent_[i][b]);
      shift(table, i, row_);
      for (std::size_t b = 0; b < row_.size(); ++b) lent_[i][b] += row_[b];
    }
    const auto first = problem_.first[table.vertices[i]];
    for (std::size_t b = 0; b < lent_[i].size(); ++b)
      if (const auto x = axes_[i][b]; lent_[i][b] != 0) raise(first + x, given(table.given[i])[x], -lent_[i][b]);
  }
  return true;
}

bool Consistency::visit_large(const Large& table) {
  cause_ = table.vertices.front();
  reduce(table);
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    if (!collect(table, i)) continue;
    const auto v = table.vertices[i];
    changed(v);
    if (!prune(v)) return false;
  }
  return true;
}

bool Consistency::collect_all(std::int32_t v) {
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i)
    if (collect(arcs_[i], v) && !prune(v)) return false;
  for (const auto& [table, axis] : large_of_[v]) {
    reduce(large_[table]);
    if (collect(large_[table], static_cast<std::size_t>(axis)) && !prune(v)) return false;
  }
  return prune(v);
}

// A vertex deals its costs out to the tables that reach on in the direction of the sweep.
void Consistency::lend(std::int32_t v, bool forward) {
  std::vector<std::int64_t> later;
  std::int64_t earlier = 0;
  auto sort = [&](std::int32_t least, std::int32_t greatest, std::int64_t given) {
    if (forward ? greatest > v : least < v) later.push_back(given);
    else ++earlier;
  };
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i) sort(arcs_[i].to, arcs_[i].to, arcs_[i].here);
  for (const auto& [table, axis] : large_of_[v])
    sort(large_[table].vertices.front(), large_[table].vertices.back(), large_[table].given[axis]);
  const auto parts = std::max({static_cast<std::int64_t>(later.size()), earlier, std::int64_t{1}});
  for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s) {
    const Cost share = cost_[s] / parts;
    if (!alive_[s] || share == 0) continue;
    for (auto begin : later) raise(s, given(begin)[s - problem_.first[v]], -share);
  }
}

bool Consistency::sweep(bool forward) {
  const auto n = problem_.vertices();
  for (std::int32_t k = 0; k < n; ++k) {
    const auto v = forward ? k : n - 1 - k;
    graph::poll(256 + work_ - std::exchange(polled_, work_));
    if (!collect_all(v)) {
      forget();
      return false;
    }
    lend(v, forward);
  }
  commit();
  wake_all();
  return true;
}

}  // namespace treaty::solve
