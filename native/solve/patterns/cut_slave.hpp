// The cut slave: the best nodes of a supermodular quadratic function, by a minimum cut that starts where the last one
// ended.
#pragma once

#include <span>
#include <vector>

#include "solve/patterns/max_flow.hpp"
#include "solve/patterns/tree_cut.hpp"

namespace treaty::solve {

class CutSlave {
 public:
  explicit CutSlave(const TreeCut& problem);

  // The maximum of (linear + multiplier) . z + sum weight_ij z_i z_j, where multipliers are those of the links. Writes
  // the linked nodes of a maximizer; where there are several, the mean of two, with halves where they differ.
  double solve(std::span<const double> multiplier, std::span<double> z, bool cold);

 private:
  std::vector<double> base_;  // terminal capacities without multipliers
  MaxFlow flow_;
};

}  // namespace treaty::solve
