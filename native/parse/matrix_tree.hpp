// Sums over all dependency trees, projective or not: the matrix-tree theorem.
#pragma once

#include <span>
#include <vector>

#include "parse/head_walk.hpp"

namespace treaty::parse {

// Arc marginals of p(tree) ~ exp(sum of its arcs' scores). Reuse one object for many sentences: it
// keeps its memory.
class MatrixTree {
 public:
  // Node 0 is the root, nodes 1..words are the words; `score` and `marginal` have a row for each head and a column for
  // each modifier, (words + 1) x (words + 1) in all. -inf: no such arc; other scores are finite. The diagonal and
  // column 0 are ignored, and 0 in `marginal`. With a single root, over the trees where exactly one arc leaves the
  // root. Returns the logarithm of the sum over trees: -inf if there is none, and then all marginals are 0.
  //
  // Stable for all scores: all digits but the last few are right, except for logarithms of many thousands, which have
  // the absolute error of their rounding. O(words^3); about fifty times slower if the likely heads of some words form a
  // cycle that takes a factor of 1e-150 or less to break.
  double marginals(int words, std::span<const double> score, bool single_root, std::span<double> marginal);

 private:
  template <class Number>
  double solve(HeadWalk<Number>& walk, std::span<const double> score, bool single_root, std::span<double> marginal);
  template <class Number>
  double load(HeadWalk<Number>& walk, std::span<const double> score, bool single_root) const;
  bool normalize(std::span<const double> score);

  std::size_t words_ = 0;
  std::vector<double> log_sum_;  // of each modifier's column
  std::vector<double> total_;    // of the probabilities of each head, before normalization
  HeadWalk<double> walk_;
  HeadWalk<LogNumber> log_walk_;
};

}  // namespace treaty::parse
