// Local search for labels: one vertex at a time takes its best label while that gains.
#pragma once

#include <span>
#include <vector>

#include "solve/pattern_problem.hpp"

namespace treaty {

class LabelSearch {
 public:
  explicit LabelSearch(const PatternProblem& problem);

  double score(std::span<const std::int32_t> label);

  // Climbs from `label` to a local optimum, in place; returns its score, -inf where something forbidden is left.
  double climb(std::span<std::int32_t> label);

 private:
  void rank_labels(std::int32_t v, std::span<const std::int32_t> label);
  void count_missing(std::span<const std::int32_t> label);
  void move(std::int32_t v, std::int32_t from, std::int32_t to);

  const PatternProblem& problem_;
  std::vector<std::int32_t> edge_begin_, edge_of_;        // vertex -> edges
  std::vector<std::int64_t> pattern_begin_;               // state -> patterns
  std::vector<std::int32_t> pattern_of_, missing_;        // pattern -> states not taken
  std::vector<double> value_;                             // of the labels of one vertex
  double prohibitive_;                                    // stands for -inf, so that breaches can be counted
};

}  // namespace treaty
