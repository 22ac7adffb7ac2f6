#include "summarize/pruning.hpp"

#include <algorithm>
#include <numeric>

namespace treaty {

std::vector<std::uint8_t> best_pruning(const Trees& trees, std::int32_t budget) {
  const auto n = trees.size.size();
  // No more than everything can be spent, however large the budget.
  const auto all = std::accumulate(trees.cost.begin(), trees.cost.end(), std::int64_t{0});
  const auto width = static_cast<std::size_t>(std::min<std::int64_t>(budget, all)) + 1;

  // best[i, b]: the best of nodes i, i + 1, ... with b to spend, if i's parent is kept. A node that is cut
  // takes its subtree with it, so what comes next is what comes after that.
  std::vector<double> best((n + 1) * width, 0.0);
  std::vector<std::uint8_t> keeps(n * width, 0);
  for (std::size_t i = n; i-- > 0;) {
    const double* const after = &best[(i + static_cast<std::size_t>(trees.size[i])) * width];
    const double* const inside = &best[(i + 1) * width];
    double* const here = &best[i * width];
    const auto cost = static_cast<std::size_t>(trees.cost[i]);
    for (std::size_t b = 0; b < width; ++b) here[b] = after[b] + trees.cut_score[i];
    for (std::size_t b = cost; b < width; ++b) {
      const double kept = inside[b - cost] + trees.gain[i];
      if (kept > here[b]) {
        here[b] = kept;
        keeps[i * width + b] = 1;
      }
    }
  }

  std::vector<std::uint8_t> chosen(n, 0);
  auto left = width - 1;
  for (std::size_t i = 0; i < n;) {
    if (keeps[i * width + left]) {
      chosen[i] = 1;
      left -= static_cast<std::size_t>(trees.cost[i]);
      ++i;
    } else {
      i += static_cast<std::size_t>(trees.size[i]);
    }
  }
  return chosen;
}

}  // namespace treaty
