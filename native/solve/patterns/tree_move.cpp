#include "solve/patterns/tree_move.hpp"

#include <algorithm>

#include "graph/stop.hpp"

namespace treaty::solve {

TreeMove::TreeMove(Labeling& labeling)
    : labeling_(labeling),
      inside_(labeling.vertices(), 0),
      met_(labeling.vertices(), 0),
      parent_(labeling.vertices(), -1),
      place_(labeling.vertices(), -1) {}

void TreeMove::run(std::span<const std::int32_t> region, double price, SplitMix& random, std::vector<Move>& journal,
                   std::int64_t& budget) {
  grow(region, random);
  gather(price, budget);
  pass_up(random);
  pass_down(journal, budget);
  for (auto v : forest_) place_[v] = -1;
}

// A vertex joins if it has one neighbor in the forest, or none as a new root.
void TreeMove::grow(std::span<const std::int32_t> region, SplitMix& random) {
  order_.assign(region.begin(), region.end());
  random.shuffle(order_);
  for (auto v : order_) inside_[v] = 1, met_[v] = 0;
  forest_.clear();
  above_.clear();
  for (auto root : order_) {
    if (place_[root] >= 0 || met_[root] > 0) continue;
    add(root, -1);
    while (!queue_.empty()) {
      std::swap(queue_[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(queue_.size())))], queue_.back());
      const auto v = queue_.back();
      queue_.pop_back();
      if (met_[v] == 1 && place_[v] < 0) add(v, parent_[v]);
    }
  }
  for (auto v : order_) inside_[v] = 0;
}

void TreeMove::add(std::int32_t v, std::int32_t parent) {
  graph::poll(16);
  place_[v] = static_cast<std::int32_t>(forest_.size());
  forest_.push_back(v);
  above_.push_back(parent < 0 ? -1 : place_[parent]);
  for (auto w : labeling_.neighbors(v)) {
    if (!inside_[w]) continue;
    parent_[w] = v;
    if (++met_[w] == 1 && place_[w] < 0) queue_.push_back(w);
  }
}

// What labels are worth beside the vertices that stay, and what pairs of the forest are worth.
void TreeMove::gather(double price, std::int64_t& budget) {
  theta_begin_.assign(1, 0), pair_begin_.assign(1, 0);
  theta_.clear();
  for (std::size_t i = 0; i < forest_.size(); ++i) {
    const auto v = forest_[i];
    for (auto s = labeling_.first(v); s < labeling_.first(v) + labeling_.labels(v); ++s)
      theta_.push_back(labeling_.allowed(s) ? labeling_.value(s) - price * labeling_.breach(s) : -kInfinity);
    theta_begin_.push_back(static_cast<std::int64_t>(theta_.size()));
    const auto cells = above_[i] < 0 ? 0 : std::int64_t{labeling_.labels(forest_[above_[i]])} * labeling_.labels(v);
    pair_begin_.push_back(pair_begin_.back() + cells);
  }
  pair_.assign(static_cast<std::size_t>(pair_begin_.back()), 0.0);
  budget -= static_cast<std::int64_t>(theta_.size() + 2 * pair_.size());
  for (std::size_t i = 0; i < forest_.size(); ++i) {
    if (above_[i] < 0) continue;
    const auto v = forest_[i], u = forest_[above_[i]];
    const auto rows = labeling_.labels(u), columns = labeling_.labels(v);
    graph::poll(64 + 4 * std::int64_t{rows} * columns);
    const std::span cells(pair_.data() + pair_begin_[i], static_cast<std::size_t>(rows) * columns);
    labeling_.add_pair(u, v, price, cells);
    const double* const row = cells.data() + static_cast<std::ptrdiff_t>(labeling_.label(u)) * columns;
    for (std::int32_t x = 0; x < columns; ++x) theta_[theta_begin_[i] + x] -= row[x];
    for (std::int32_t y = 0; y < rows; ++y)
      theta_[theta_begin_[above_[i]] + y] -= cells[static_cast<std::size_t>(y) * columns + labeling_.label(v)];
  }
}

// Ties go to the first label from a random one on, so that plateaus are explored.
void TreeMove::pass_up(SplitMix& random) {
  choice_begin_.assign(forest_.size() + 1, 0);
  for (std::size_t i = 0; i < forest_.size(); ++i)
    choice_begin_[i + 1] = choice_begin_[i] + (above_[i] < 0 ? 1 : labeling_.labels(forest_[above_[i]]));
  choice_.resize(static_cast<std::size_t>(choice_begin_.back()));
  for (auto i = forest_.size(); i-- > 0;) {
    const auto columns = labeling_.labels(forest_[i]);
    graph::poll(8 + 2 * (choice_begin_[i + 1] - choice_begin_[i]) * columns);
    const double* const theta = theta_.data() + theta_begin_[i];
    const auto start = random.below(columns);
    const auto rows = choice_begin_[i + 1] - choice_begin_[i];
    for (std::int32_t y = 0; y < rows; ++y) {
      const double* const row = above_[i] < 0 ? nullptr : pair_.data() + pair_begin_[i] + std::int64_t{y} * columns;
      double best = -kInfinity;
      std::int32_t choice = start;
      auto look = [&](std::int32_t x) {
        const double value = row ? theta[x] + row[x] : theta[x];
        if (value > best) best = value, choice = x;
      };
      for (auto x = start; x < columns; ++x) look(x);
      for (std::int32_t x = 0; x < start; ++x) look(x);
      choice_[choice_begin_[i] + y] = choice;
      if (row) theta_[theta_begin_[above_[i]] + y] += best;
    }
  }
}

void TreeMove::pass_down(std::vector<Move>& journal, std::int64_t& budget) {
  order_.resize(forest_.size());  // now: labels
  for (std::size_t i = 0; i < forest_.size(); ++i) {
    const auto v = forest_[i];
    order_[i] = choice_[choice_begin_[i] + (above_[i] < 0 ? 0 : order_[above_[i]])];
    if (order_[i] == labeling_.label(v)) continue;
    journal.push_back({v, labeling_.label(v)});
    labeling_.move(v, order_[i]);
    budget -= labeling_.cost(v);
  }
}

}  // namespace treaty::solve
