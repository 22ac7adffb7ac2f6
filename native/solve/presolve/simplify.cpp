#include "solve/presolve/simplify.hpp"

#include <algorithm>
#include <deque>

#include "graph/stop.hpp"

namespace treaty::solve {

using graph::poll;

namespace {

// Walks through the joint labels of some vertices, the last fastest.
class Odometer {
 public:
  explicit Odometer(std::vector<std::int32_t> sizes) : sizes_(std::move(sizes)), at(sizes_.size(), 0) {}
  bool next() {
    for (auto i = sizes_.size(); i-- > 0;) {
      if (++at[i] < sizes_[i]) return true;
      at[i] = 0;
    }
    return false;
  }

 private:
  std::vector<std::int32_t> sizes_;

 public:
  std::vector<std::int32_t> at;
};

}  // namespace

Simplified::Simplified(const PatternProblem& problem, std::span<const Potential> potentials,
                       std::span<const std::uint8_t> alive)
    : kept_(problem.vertices()), own_(problem.vertices()), tables_of_(problem.vertices()), is_gone_(problem.vertices(), 0) {
  keep_labels(problem, alive);
  for (const auto& potential : potentials) add(potential);
  eliminate_all();
  finish();
}

void Simplified::keep_labels(const PatternProblem& problem, std::span<const std::uint8_t> alive) {
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    for (std::int32_t x = 0; x < problem.labels(v); ++x) {
      const auto s = problem.first[v] + x;
      if (!alive[s]) continue;
      kept_[v].push_back(x);
      own_[v].push_back(problem.state_score[s]);
    }
  for (std::int32_t v = 0; v < problem.vertices(); ++v) sizes_.push_back(problem.labels(v));
}

std::size_t Simplified::cells_of(std::span<const std::int32_t> vertices) const {
  std::size_t cells = 1;
  for (auto v : vertices) cells *= own_[v].size();
  return cells;
}

// The part of a potential that is about labels that are left, without vertices that have one label only.
void Simplified::add(const Potential& potential) {
  Potential table;
  std::vector<std::int32_t> sizes;
  for (auto v : potential.vertices) {
    sizes.push_back(labels(v));
    if (labels(v) > 1) table.vertices.push_back(v);
  }
  poll(64 + 8 * std::ssize(potential.cells));
  Odometer joint(std::move(sizes));
  do {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < potential.vertices.size(); ++i) {
      const auto v = potential.vertices[i];
      cell = cell * static_cast<std::size_t>(sizes_[v]) + static_cast<std::size_t>(kept_[v][joint.at[i]]);
    }
    table.cells.push_back(potential.cells[cell]);
  } while (joint.next());
  add_table(std::move(table));
}

// Vertices of tables are in order.
void Simplified::add_table(Potential table) {
  if (table.vertices.empty()) {
    constant_ += table.cells[0];
    return;
  }
  const auto v = table.vertices[0];
  if (table.vertices.size() == 1) {
    for (std::size_t x = 0; x < table.cells.size(); ++x) own_[v][x] += table.cells[x];
    return;
  }
  for (auto t : tables_of_[v]) {
    if (tables_[t].vertices != table.vertices) continue;
    for (std::size_t k = 0; k < table.cells.size(); ++k) tables_[t].cells[k] += table.cells[k];
    return;
  }
  for (auto u : table.vertices) tables_of_[u].push_back(static_cast<std::int32_t>(tables_.size()));
  tables_.push_back(std::move(table));
}

std::vector<std::int32_t> Simplified::neighbors_of(std::int32_t v) const {
  std::vector<std::int32_t> found;
  for (auto t : tables_of_[v])
    for (auto u : tables_[t].vertices)
      if (u != v) found.push_back(u);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Two neighbors make a table of a pair. More are worth it if no table gets more vertices than before, or if it is tiny.
bool Simplified::is_cheap(std::int32_t v, std::span<const std::int32_t> neighbors) const {
  constexpr std::size_t kMostCells = 1 << 14, kTiny = 64;
  std::size_t widest = 3;
  for (auto t : tables_of_[v]) widest = std::max(widest, tables_[t].vertices.size());
  const auto cells = cells_of(neighbors);
  return cells <= kMostCells && (neighbors.size() < widest || (neighbors.size() == 3 && cells <= kTiny));
}

void Simplified::eliminate_all() {
  std::deque<std::int32_t> queue;
  std::vector<std::uint8_t> queued(own_.size(), 1);
  for (std::size_t v = 0; v < own_.size(); ++v) queue.push_back(static_cast<std::int32_t>(v));
  while (!queue.empty()) {
    const auto v = queue.front();
    queue.pop_front();
    queued[v] = 0;
    poll(64 + 16 * static_cast<std::int64_t>(tables_of_[v].size()));
    auto neighbors = neighbors_of(v);
    if (is_gone_[v] || !is_cheap(v, neighbors)) continue;
    eliminate(v, neighbors);
    for (auto u : neighbors)
      if (!queued[u]) queued[u] = 1, queue.push_back(u);
  }
}

void Simplified::eliminate(std::int32_t v, std::vector<std::int32_t> neighbors) {
  struct Input {
    const Potential* table;
    std::vector<std::size_t> places;  // of its vertices among the neighbors; of v itself: their number
  };
  std::vector<Input> inputs;
  for (auto t : tables_of_[v]) {
    Input input{&tables_[t], {}};
    for (auto u : tables_[t].vertices)
      input.places.push_back(static_cast<std::size_t>(std::ranges::lower_bound(neighbors, u) - neighbors.begin()));
    for (std::size_t i = 0; i < input.places.size(); ++i)
      if (tables_[t].vertices[i] == v) input.places[i] = neighbors.size();
    inputs.push_back(std::move(input));
  }
  std::vector<std::int32_t> sizes;
  for (auto u : neighbors) sizes.push_back(labels(u));
  sizes.push_back(labels(v));
  Gone gone{v, neighbors, {}};
  Potential result{neighbors, {}};
  poll(64 + 8 * static_cast<std::int64_t>(cells_of(neighbors)) * labels(v));
  Odometer joint(sizes);
  do {
    double score = own_[v][joint.at.back()];
    for (const auto& input : inputs) {
      std::size_t cell = 0;
      for (auto place : input.places) cell = cell * static_cast<std::size_t>(sizes[place]) + static_cast<std::size_t>(joint.at[place]);
      score += input.table->cells[cell];
    }
    if (joint.at.back() == 0) {
      result.cells.push_back(score);
      gone.best.push_back(0);
    } else if (score > result.cells.back()) {
      result.cells.back() = score;
      gone.best.back() = joint.at.back();
    }
  } while (joint.next());
  for (auto t : std::vector(tables_of_[v])) {
    for (auto u : tables_[t].vertices) std::erase(tables_of_[u], t);
    tables_[t] = {};
  }
  is_gone_[v] = 1;
  gone_.push_back(std::move(gone));
  add_table(std::move(result));
}

void Simplified::finish() {
  std::vector<std::int32_t> number(own_.size(), -1);
  for (std::size_t v = 0; v < own_.size(); ++v) {
    if (is_gone_[v]) continue;
    if (left_.empty())
      for (auto& score : own_[v]) score += constant_;
    number[v] = out_.add_vertex(own_[v]);
    left_.push_back(static_cast<std::int32_t>(v));
  }
  if (left_.empty()) out_.add_vertex(std::vector{constant_});
  std::erase_if(tables_, [](const Potential& table) { return table.vertices.empty(); });
  std::vector<std::int32_t> states;
  for (auto& table : tables_) {
    for (auto& v : table.vertices) v = number[v];
    if (table.vertices.size() == 2) {
      out_.add_edge(table.vertices[0], table.vertices[1], table.cells);
      continue;
    }
    std::vector<std::int32_t> sizes;
    for (auto v : table.vertices) sizes.push_back(out_.labels(v));
    Odometer joint(std::move(sizes));
    for (double score : table.cells) {
      states.clear();
      for (std::size_t i = 0; i < table.vertices.size(); ++i) states.push_back(out_.first[table.vertices[i]] + joint.at[i]);
      if (score != 0.0) out_.add_pattern(states, score);
      joint.next();
    }
  }
}

std::vector<std::int32_t> Simplified::expand(std::span<const std::int32_t> label) const {
  std::vector<std::int32_t> all(own_.size(), 0);
  for (std::size_t i = 0; i < left_.size(); ++i) all[left_[i]] = label[i];
  for (auto gone = gone_.rbegin(); gone != gone_.rend(); ++gone) {
    std::size_t cell = 0;
    for (auto u : gone->neighbors) cell = cell * own_[u].size() + static_cast<std::size_t>(all[u]);
    all[gone->vertex] = gone->best[cell];
  }
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = kept_[v][all[v]];
  return all;
}

std::vector<std::int32_t> Simplified::reduce(std::span<const std::int32_t> label) const {
  std::vector<std::int32_t> result;
  for (auto v : left_) {
    const auto place = std::ranges::find(kept_[v], label[v]);
    result.push_back(place == kept_[v].end() ? -1 : static_cast<std::int32_t>(place - kept_[v].begin()));
  }
  if (left_.empty()) result.push_back(0);
  return result;
}

}  // namespace treaty::solve
