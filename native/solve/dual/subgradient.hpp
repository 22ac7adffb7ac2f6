// Projected subgradient dual decomposition (Komodakis et al. 2007; Rush et al. 2010), for comparison with AD3.
//
// Every factor answers the current prices with its best configuration; prices move against disagreement. The
// consensus that is reported and rounded is the running average of the answers, which converges to a solution of
// the relaxation.
#pragma once

#include <cstdint>

#include "solve/dual/dual.hpp"

namespace treaty::solve {

enum class StepRule : std::uint8_t {
  Decreasing,  // step / sqrt(t)
  Rush,        // step / (1 + how often the dual went up)
  Polyak,      // (bound - best answer) / |subgradient|^2
};

struct SubgradientOptions {
  StepRule rule = StepRule::Rush;
  double step = 1.0;  // relative to the size of the scores; Polyak: a factor in (0, 2)
};

class Subgradient final : public DualSolver {
 public:
  Subgradient(const Graph& graph, const SubgradientOptions& options);

 private:
  bool iterate() override;
  bool has_converged() const override { return agreed_; }

  double find_disagreement();  // the squared norm of the subgradient
  double step_length(double bound, double squared_norm);

  SubgradientOptions options_;
  double scale_;
  double last_bound_ = kInfinity;
  std::int64_t rises_ = 0;
  bool agreed_ = false;
  std::vector<double> mean_;  // of the copies of each variable at this iteration
};

}  // namespace treaty::solve
