// How much the score of a tree falls when a word gets another head: what confidences of arcs are made from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse/parts.hpp"

namespace treaty::parse {

// Reused from sentence to sentence, one per thread.
class Margins {
 public:
  // No head can replace that of the word, or it would cost more than this.
  static constexpr double kMost = 30.0;

  // For each word the score of the tree minus that of the best tree in which the word has another head and all others
  // keep theirs, at most `kMost`. Where the new head descends from the word, it takes the word's old head; where that
  // gives two roots and there is to be one, the old root depends on the new one. margin[0] = kMost.
  void of(Parts& parts, std::span<const double> score, std::span<const std::int32_t> head, bool single_root,
          std::vector<double>& margin);

 private:
  bool change(const Arcs& arcs, std::span<const std::int32_t> head, int modifier, int new_head, bool single_root);
  bool is_below(int node, int ancestor) const;
  double score_of(Parts& parts, std::span<const double> score);

  std::vector<std::int32_t> changed_, listed_;
};

}  // namespace treaty::parse
