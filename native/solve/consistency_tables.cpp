// Soft arc consistency: tables of three and more vertices, and sweeps.
#include <algorithm>

#include "solve/consistency.hpp"

namespace treaty::solve {

using Cost = Consistency::Cost;
constexpr Cost kDead = Consistency::kNothing;

// Writes the table's costs to `reduced_`, beside what it gave; `kDead` for cells of removed labels.
void Consistency::reduce(const Large& table) {
  std::size_t size = 1;
  reduced_.assign(1, 0);
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    const auto v = table.vertices[i], labels = problem_.labels(v);
    const Cost* const given = this->given(table.given[i]);
    most_.resize(size * static_cast<std::size_t>(labels));
    for (std::size_t k = 0, next = 0; k < size; ++k)
      for (std::int32_t x = 0; x < labels; ++x, ++next)
        most_[next] = reduced_[k] >= kDead / 2 || !alive_[problem_.first[v] + x] ? kDead : reduced_[k] - given[x];
    std::swap(reduced_, most_);
    size *= static_cast<std::size_t>(labels);
  }
  for (std::size_t k = 0; k < size; ++k)
    if (reduced_[k] < kDead / 2) reduced_[k] += cells_[static_cast<std::size_t>(table.cells) + k];
  work_ += 2 * static_cast<std::int64_t>(size);
}

// Writes the minima of `reduced_` by label of one of the table's vertices to `row_`.
void Consistency::axis_minima(const Large& table, std::size_t axis) {
  const auto labels = static_cast<std::size_t>(problem_.labels(table.vertices[axis]));
  std::size_t stride = 1;
  for (auto i = axis + 1; i < table.vertices.size(); ++i) stride *= static_cast<std::size_t>(problem_.labels(table.vertices[i]));
  row_.assign(labels, kDead);
  const Cost* cells = reduced_.data();
  for (const Cost* const end = cells + reduced_.size(); cells != end;)
    for (std::size_t a = 0; a < labels; ++a, cells += stride)
      row_[a] = std::min(row_[a], *std::min_element(cells, cells + stride));
  work_ += static_cast<std::int64_t>(reduced_.size());
}

// Adds to `reduced_` by label of one of the table's vertices.
void Consistency::shift(const Large& table, std::size_t axis, std::span<const Cost> by) {
  std::size_t stride = 1;
  for (auto i = axis + 1; i < table.vertices.size(); ++i) stride *= static_cast<std::size_t>(problem_.labels(table.vertices[i]));
  Cost* cell = reduced_.data();
  for (const Cost* const end = cell + reduced_.size(); cell != end;)
    for (const Cost more : by)
      for (std::size_t j = 0; j < stride; ++j, ++cell)
        if (*cell < kDead / 2) *cell += more;
  work_ += static_cast<std::int64_t>(reduced_.size());
}

// A large table, reduced, gives its minima to the labels of one of its vertices.
bool Consistency::collect(const Large& table, std::size_t axis) {
  const auto v = table.vertices[axis], first = problem_.first[v];
  axis_minima(table, axis);
  bool changed = false;
  for (std::size_t a = 0; a < row_.size(); ++a) {
    const auto s = first + static_cast<std::int32_t>(a);
    row_[a] = alive_[s] ? -std::min(row_[a], top_) : 0;
    if (row_[a] == 0) continue;
    raise(s, given(table.given[axis])[a], -row_[a]);
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
    const auto first = problem_.first[table.vertices[i]], labels = problem_.labels(table.vertices[i]);
    lent_[i].assign(cost_.begin() + first, cost_.begin() + first + labels);
    if (i != axis) shift(table, i, lent_[i]);
  }
  axis_minima(table, axis);
  bool any = false;
  const auto target = problem_.first[table.vertices[axis]];
  std::vector<Cost>& gained = lent_[axis];
  for (std::size_t a = 0; a < row_.size(); ++a) {
    gained[a] = alive_[target + static_cast<std::int32_t>(a)] ? -std::min(row_[a], top_) : 0;
    any = any || gained[a] != 0;
  }
  if (!any) return false;
  shift(table, axis, gained);
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    const auto first = problem_.first[table.vertices[i]];
    if (i != axis) {
      axis_minima(table, i);
      for (std::size_t b = 0; b < row_.size(); ++b) row_[b] = -std::min(row_[b], lent_[i][b]);
      shift(table, i, row_);
      for (std::size_t b = 0; b < row_.size(); ++b) lent_[i][b] += row_[b];
    }
    for (std::size_t b = 0; b < lent_[i].size(); ++b) {
      const auto s = first + static_cast<std::int32_t>(b);
      if (alive_[s] && lent_[i][b] != 0) raise(s, given(table.given[i])[b], -lent_[i][b]);
    }
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
