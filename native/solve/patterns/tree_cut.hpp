// The tree-cut decomposition of a pattern problem (Qian & Liu 2014, section 3): a forest of pairs, solved by dynamic
// programming, and a supermodular quadratic function of binary nodes, solved by a minimum cut, tied by multipliers.
//
// max over labels Y and nodes z of  constant + forest(Y) + linear . z + sum_ij weight_ij z_i z_j,  weights >= 0,
// subject to  z_m = Y_s  (or 1 - Y_s)  for each link m; the nodes after the linked ones are auxiliary.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

enum class CutStyle : std::uint8_t {
  Paper,     // psi makes the cut's pairs nonnegative; pairs on the tree, also those of patterns, are the tree's (3.3)
  Released,  // the same, but all pairs of negative patterns go to the cut, as in the authors' released program
  Tight,     // negative terms are rewritten as positive ones over the labels that they exclude
};

struct TreeCut {
  TreeCut(const PatternProblem& tidied, CutStyle style);

  struct Link {
    std::int32_t state;
    bool complement;  // the node stands for "not in this state"
  };
  struct Pair {
    std::int32_t i, j;
    double weight;
  };

  PatternProblem forest;  // the problem's vertices come first, then auxiliary ones
  std::vector<Link> links;
  std::vector<double> start;   // a multiplier for each link to start from: the maximum over nodes is 0 there
  std::vector<double> linear;  // by node
  std::vector<Pair> pairs;     // i < j, each once
  double constant = 0.0;
};

}  // namespace treaty::solve
