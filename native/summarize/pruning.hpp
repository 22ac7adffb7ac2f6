// Optimal pruning of trees within a budget (Almeida & Martins 2013, §3.4 and footnote 5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::summarize {

// Trees in preorder: node i is followed directly by its descendants, `size[i]` nodes including itself, so that `i +
// size[i]` is the first node after its subtree. A tree ends where the next begins; no super-root is needed. All spans
// have the same length.
struct Trees {
  std::span<const std::int32_t> size;
  std::span<const std::int32_t> cost;      // of a node that is kept, 0 or more
  std::span<const double> gain;            // of a node that is kept
  std::span<const double> cut_score;       // of a node that is cut while its parent is kept
  std::span<const std::uint8_t> hollow;    // whether a root may be kept only together with one of its children
};

// Throws std::invalid_argument unless they are trees in preorder, only roots are hollow and no limit is negative.
void check(const Trees& trees, std::int32_t budget, std::int32_t most_trees);

// Which nodes to keep, 0 or 1 for each: only together with their parents, at a cost within the budget, from at most the
// given number of trees, with the greatest sum of gains and cut scores. Ties go to the answer that keeps fewer of the
// first nodes. O(nodes * budget) in time and memory, times the limit on trees if there are more trees.
std::vector<std::uint8_t> best_pruning(const Trees& trees, std::int32_t budget, std::int32_t most_trees);

}  // namespace treaty::summarize
