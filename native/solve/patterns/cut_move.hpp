// A labeling is mixed with another one by a minimum cut: every vertex keeps its label or takes the other one's
// (Lempitsky et al. 2010). If the other has one label everywhere, that is an expansion move (Boykov et al. 2001).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/patterns/labeling.hpp"
#include "solve/patterns/max_flow.hpp"
#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

class CutMove {
 public:
  // The problem has tables of pairs only.
  CutMove(const PatternProblem& problem, const Labeling& labeling) : problem_(problem), labeling_(labeling) {}

  // Vertices that should take the label of `other`. The best mixture if pairs that change together are worth no less
  // than pairs that change apart; other pairs count as if they were (`share()` says how many are not).
  const std::vector<std::int32_t>& run(std::span<const std::int32_t> other);
  double share() const { return share_; }  // of pairs that the cut got right
  std::int64_t cost() const { return cost_; }

 private:
  double finite(double score) const;

  const PatternProblem& problem_;
  const Labeling& labeling_;
  std::vector<std::int32_t> node_, taken_;
  std::vector<double> terminal_;
  std::vector<MaxFlow::Arc> arcs_;
  double share_ = 1.0;
  std::int64_t cost_ = 0;
};

}  // namespace treaty::solve
