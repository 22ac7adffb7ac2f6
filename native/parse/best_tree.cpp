#include "parse/best_tree.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "graph/arborescence.hpp"

namespace treaty::parse {

using graph::kInfinity, graph::kLargestScore;

void check_arc_scores(std::span<const double> score, std::size_t rows, std::size_t columns) {
  if (rows == 0 || columns != rows || rows > 30'000)
    throw graph::GraphError(
        "scores must have one row and one column for the root and for each of at most 29,999 words");
  for (std::size_t head = 0; head < rows; ++head)
    for (std::size_t modifier = 1; modifier < rows; ++modifier) {
      const double s = score[head * rows + modifier];
      if (head != modifier && s != -kInfinity && !(std::abs(s) <= kLargestScore))
        throw graph::GraphError("score of the arc " + std::to_string(head) + " -> " + std::to_string(modifier) +
                                ": expected a number of at most 1e100 in size, or -inf for no such arc");
    }
}

double best_tree(int words, std::span<const double> score, bool single_root, std::span<std::int32_t> head) {
  std::vector<std::int32_t> shape{words + 1, single_root};
  std::vector<double> arc_score;
  for (std::int32_t h = 0; h <= words; ++h)
    for (std::int32_t m = 1; m <= words; ++m) {
      const double s = score[head.size() * static_cast<std::size_t>(h) + static_cast<std::size_t>(m)];
      if (h == m || s == -kInfinity) continue;
      shape.insert(shape.end(), {h, m});
      arc_score.push_back(s);
    }
  graph::Configuration best;
  graph::make_arborescence(shape)->maximize(arc_score, best);
  std::ranges::fill(head, -1);
  double value = best.score;
  for (const auto arc : best.on) {
    head[shape[2 * arc + 3]] = shape[2 * arc + 2];
    value += arc_score[arc];
  }
  return value;
}

}  // namespace treaty::parse
