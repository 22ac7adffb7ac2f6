// Local search for labels: one vertex at a time takes its best label while that gains, and kicks out of local optima.
#pragma once

#include <span>
#include <vector>

#include "solve/pattern_problem.hpp"

namespace treaty::solve {

class LabelSearch {
 public:
  explicit LabelSearch(const PatternProblem& problem);

  double score(std::span<const std::int32_t> label);

  // Climbs from `label` to a local optimum, in place; returns its score, -inf where something forbidden is left.
  double climb(std::span<std::int32_t> label);
  // Kicks single vertices out of place and lets their neighbors follow, keeping what gains; looks at vertices `budget`
  // times. Starts from a local optimum, in place, and returns the score.
  double kick(std::span<std::int32_t> label, std::int64_t budget);

 private:
  static constexpr std::int32_t kNobody = -1;

  void find_neighbors();
  void rank_labels(std::int32_t v, std::span<const std::int32_t> label);
  void count_missing(std::span<const std::int32_t> label);
  void move(std::span<std::int32_t> label, std::int32_t v, std::int32_t to);
  void wake(std::int32_t v);
  void wake_neighbors(std::int32_t v);
  double settle(std::span<std::int32_t> label, std::int32_t held, std::int64_t& budget);

  struct Move {
    std::int32_t vertex, from;
  };
  const PatternProblem& problem_;
  std::vector<std::int32_t> edge_begin_, edge_of_;            // vertex -> edges
  std::vector<std::int64_t> pattern_begin_;                   // state -> patterns
  std::vector<std::int32_t> pattern_of_, missing_;            // pattern -> states not taken
  std::vector<std::int32_t> neighbor_begin_, neighbor_of_;  // vertex -> vertices it shares a score with
  std::vector<double> value_;                                 // of the labels of one vertex
  std::vector<std::int32_t> queue_;                           // vertices to look at
  std::vector<std::uint8_t> awake_;                           // whether a vertex is in the queue
  std::vector<Move> journal_;                                 // since the last kick
  double prohibitive_;                                        // stands for -inf, so that breaches can be counted
  double least_;                                              // a smaller gain may be rounding
};

}  // namespace treaty::solve
