// Local search among trees: change the head of a word while that improves the score. Often improves AD3's rounding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse/parts.hpp"

namespace treaty::parse {

class TreeSearch {
 public:
  // Improves a tree over the parts' candidate arcs until no single change of a head gains (nor, with a single root, a
  // change of the root's modifier to one that becomes the head of the old one); returns its score.
  double improve(const Parts& parts, std::span<const double> score, bool single_root, std::span<std::int32_t> head);

 private:
  // The score of a tree is a sum over terms: one per arc, per side, per head (all its siblings), per pair
  // of words, per word (all above it), and one for all arcs that are not projective.
  double arc_term(int m) const;
  double side_term(const Side& side);
  double siblings_term(int h);
  double bigram_term(int m) const;
  double path_term(int word) const;
  double crossing_term() const;
  std::int32_t terms() const { return paths_ + parts_->arcs().words + 2; }
  double term(std::int32_t index);
  void touch(int m, int head);
  bool try_heads(int m, bool single_root);
  bool accept(std::initializer_list<std::pair<int, int>> moves);

  const Parts* parts_ = nullptr;
  std::span<const double> score_;
  std::span<std::int32_t> head_;
  std::int32_t sides_ = 0, siblings_ = 0, bigrams_ = 0, paths_ = 0;  // where the terms of each sort begin
  std::vector<double> value_;
  std::vector<std::int32_t> touched_, on_;
  std::vector<double> new_value_;
  std::vector<std::uint8_t> is_touched_;
};

}  // namespace treaty::parse
