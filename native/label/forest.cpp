#include "label/forest.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "learn/host.hpp"

namespace treaty::label {
namespace {

// The root of a vertex's tree so far (union-find with path halving).
std::int32_t find_root(std::vector<std::int32_t>& root_of, std::int32_t v) {
  while (root_of[v] != v) v = root_of[v] = root_of[root_of[v]];
  return v;
}

}  // namespace

bool Forest::build(Scores& scores) {
  scores_ = &scores;
  if (scores.larger() > 0) return false;
  if (build_chain()) return true;
  if (static_cast<std::int32_t>(scores.edges.size()) >= scores.vertices) return false;
  edges_.resize(scores.edges.size());
  std::iota(edges_.begin(), edges_.end(), 0);
  return build_trees(edges_, true);
}

void Forest::span_edges(Scores& scores) {
  scores_ = &scores;
  if (build_chain()) return;
  std::vector<double> spread;
  for (std::int32_t t = 0; t < scores.tables(); ++t) {
    const auto [least, most] = std::ranges::minmax(std::span(scores.table(t), scores.cells_of_table()));
    spread.push_back(least == kForbidden ? std::numeric_limits<double>::infinity() : most - least);
  }
  edges_.resize(scores.edges.size());
  std::iota(edges_.begin(), edges_.end(), 0);
  std::ranges::stable_sort(edges_, std::greater{}, [&](auto e) { return spread[scores.edges[e].table]; });
  build_trees(edges_, false);
}

// A chain: edges only between neighboring vertices, so their order is kept.
bool Forest::build_chain() {
  if (!std::ranges::all_of(scores_->edges, [](const Scores::Edge& e) { return e.v == e.u + 1; })) return false;
  const auto n = static_cast<std::size_t>(scores_->vertices);
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  position_ = order_;
  parent_.assign(n, kRoot);
  table_.assign(n, 0);
  for (const auto& e : scores_->edges) {
    parent_[e.u] = e.v;
    table_[e.u] = e.table;
  }
  return true;
}

// Takes edges in this order unless they close a cycle; returns false if all are required and one closes a cycle.
bool Forest::build_trees(std::span<const std::int32_t> edges, bool all) {
  const auto n = static_cast<std::size_t>(scores_->vertices);
  root_of_.resize(n);
  std::iota(root_of_.begin(), root_of_.end(), 0);
  kept_.clear();
  neighbor_begin_.assign(n + 1, 0);
  for (auto e : edges) {
    const auto [u, v, table] = scores_->edges[e];
    const auto one = find_root(root_of_, u), other = find_root(root_of_, v);
    if (one == other && all) return false;
    if (one == other) continue;
    root_of_[one] = other;
    kept_.push_back(e);
    ++neighbor_begin_[u], ++neighbor_begin_[v];
  }
  std::exclusive_scan(neighbor_begin_.begin(), neighbor_begin_.end(), neighbor_begin_.begin(), 0);
  neighbors_.resize(2 * kept_.size());
  auto next = neighbor_begin_;
  for (auto e : kept_) {
    const auto& edge = scores_->edges[e];
    neighbors_[next[edge.u]++] = {edge.v, e};
    neighbors_[next[edge.v]++] = {edge.u, e};
  }
  order_.clear();
  position_.assign(n, -1);
  parent_.assign(n, kRoot);
  table_.assign(n, 0);
  for (auto v = scores_->vertices; v-- > 0;)
    if (position_[v] < 0) hang(v);
  return true;
}

// Orders the tree of a root, breadth first, from the last position downwards.
void Forest::hang(std::int32_t root) {
  const auto last = scores_->vertices - 1;
  if (order_.empty()) order_.assign(scores_->vertices, 0), queue_.clear();
  const auto place = [&](std::int32_t v) {
    position_[v] = last - static_cast<std::int32_t>(queue_.size());
    order_[position_[v]] = v;
    queue_.push_back(v);
  };
  auto begin = queue_.size();
  place(root);
  for (; begin < queue_.size(); ++begin) {
    const auto v = queue_[begin];
    for (auto i = neighbor_begin_[v]; i < neighbor_begin_[v + 1]; ++i) {
      const auto [child, e] = neighbors_[i];
      if (position_[child] >= 0) continue;
      place(child);
      parent_[position_[child]] = position_[v];
      const auto table = scores_->edges[e].table;
      table_[position_[child]] = child < v ? table : scores_->turn(table);
    }
  }
}

double Forest::best(std::span<std::int32_t> labeling) {
  const auto n = scores_->vertices, labels = scores_->labels;
  reach_.resize(at(n));
  message_.resize(at(n));
  for (std::int32_t k = 0; k < n; ++k) std::copy_n(state(k), labels, &reach_[at(k)]);
  double score = 0.0;
  for (std::int32_t k = 0; k < n; ++k) {
    learn::check_interrupt(k);
    const double* const reach = &reach_[at(k)];
    if (parent_[k] == kRoot) {
      score += *std::max_element(reach, reach + labels);
      continue;
    }
    double* const message = &message_[at(k)];
    const double* cells = table(k);
    std::fill_n(message, labels, kForbidden);
    for (std::int32_t a = 0; a < labels; ++a, cells += labels)
      for (std::int32_t b = 0; b < labels; ++b) message[b] = std::max(message[b], reach[a] + cells[b]);
    double* const above = &reach_[at(parent_[k])];
    for (std::int32_t b = 0; b < labels; ++b) above[b] += message[b];
  }
  if (score == kForbidden) return score;
  // Back pointers are recomputed by comparing again, which keeps indices out of the loop above.
  for (auto k = n; k-- > 0;) {
    const double* const reach = &reach_[at(k)];
    auto& label = labeling[order_[k]];
    label = 0;
    if (parent_[k] == kRoot) {
      label = static_cast<std::int32_t>(std::max_element(reach, reach + labels) - reach);
      continue;
    }
    const auto b = labeling[order_[parent_[k]]];
    const double* const cells = table(k) + b;
    while (label + 1 < labels && reach[label] + cells[label * labels] != message_[at(k) + b]) ++label;
  }
  return score;
}

}  // namespace treaty::label
