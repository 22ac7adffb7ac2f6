// Optimal pruning of trees within a budget (Almeida & Martins 2013, §3.4 and footnote 5).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::summarize {

// Trees in preorder: node i has its `size[i]` descendants, itself among them, right behind it, so that
// `i + size[i]` is what comes after its subtree. A tree ends where the next begins: a super-root needs
// no node. All spans are equally long.
struct Trees {
  std::span<const std::int32_t> size;
  std::span<const std::int32_t> cost;      // of a node that is kept, 0 or more
  std::span<const double> gain;            // of a node that is kept
  std::span<const double> cut_score;       // of a node that is cut while its parent is kept
};

// Throws std::invalid_argument unless they are trees in preorder and limits are not below 0.
void check(const Trees& trees, std::int32_t budget, std::int32_t most_trees);

// Which nodes to keep, 0 or 1 for each: only with their parents, at a cost of no more than the budget,
// from no more than so many trees, and with the greatest sum of gains and cut scores. Of equals, the one
// that keeps less in front. O(nodes * budget) in time and memory, times the limit on trees where there
// are more of them.
std::vector<std::uint8_t> best_pruning(const Trees& trees, std::int32_t budget, std::int32_t most_trees);

}  // namespace treaty::summarize
