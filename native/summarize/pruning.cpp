#include "summarize/pruning.hpp"

#include <algorithm>
#include <numeric>

namespace treaty::summarize {
namespace {

using Choice = std::vector<std::uint8_t>;

Choice roots_of(std::span<const std::int32_t> size) {
  Choice is_root(size.size(), 0);
  for (std::size_t i = 0; i < size.size(); i += static_cast<std::size_t>(size[i])) is_root[i] = 1;
  return is_root;
}

// If `is_root` is all 0, trees are not counted: one layer is enough.
Choice pruned(const Trees& trees, std::size_t width, std::size_t layers, const Choice& is_root) {
  const auto n = trees.size.size();
  const auto states = layers * width;

  // best[i, t, b]: the best score of nodes i, i + 1, ... with t trees and a budget of b, if i's parent is kept. If a
  // node is cut, so is its subtree, and the next node is the first one after it.
  std::vector<double> best((n + 1) * states, 0.0);
  Choice keeps(n * states, 0);
  for (std::size_t i = n; i-- > 0;) {
    const double* const after = &best[(i + static_cast<std::size_t>(trees.size[i])) * states];
    const double* const inside = &best[(i + 1) * states];
    double* const here = &best[i * states];
    for (std::size_t s = 0; s < states; ++s) here[s] = after[s] + trees.cut_score[i];

    const auto cost = static_cast<std::size_t>(trees.cost[i]);
    const auto tree = is_root[i] ? std::size_t{1} : std::size_t{0};
    for (std::size_t t = tree; t < layers; ++t)
      for (std::size_t b = cost; b < width; ++b) {
        const auto s = t * width + b;
        const double kept = inside[s - tree * width - cost] + trees.gain[i];
        if (kept > here[s]) {
          here[s] = kept;
          keeps[i * states + s] = 1;
        }
      }
  }

  Choice chosen(n, 0);
  auto left = states - 1;
  for (std::size_t i = 0; i < n;) {
    if (keeps[i * states + left]) {
      chosen[i] = 1;
      left -= static_cast<std::size_t>(trees.cost[i]) + (is_root[i] ? width : 0);
      ++i;
    } else {
      i += static_cast<std::size_t>(trees.size[i]);
    }
  }
  return chosen;
}

}  // namespace

std::vector<std::uint8_t> best_pruning(const Trees& trees, std::int32_t budget, std::int32_t most_trees) {
  // If everything fits, nothing needs to be counted.
  const auto all = std::accumulate(trees.cost.begin(), trees.cost.end(), std::int64_t{0});
  if (all <= budget && all > 0) {
    const std::vector<std::int32_t> free(trees.cost.size(), 0);
    return best_pruning({trees.size, free, trees.gain, trees.cut_score}, 0, most_trees);
  }
  const auto width = static_cast<std::size_t>(budget) + 1;
  auto is_root = roots_of(trees.size);
  auto layers = static_cast<std::size_t>(most_trees) + 1;
  if (layers > static_cast<std::size_t>(std::ranges::count(is_root, 1))) {
    layers = 1;
    std::ranges::fill(is_root, 0);
  }
  return pruned(trees, width, layers, is_root);
}

}  // namespace treaty::summarize
