// AD3: alternating directions dual decomposition (Martins et al. 2011, 2013).
//
// Every factor has a copy z of its variables and prices p for them; the copies are drawn together by
//   z_f <- argmax over the factor's polytope of  p_f . z + score_f(z) - rho/2 |z - u|^2      (2013b, eq. 3)
//   u_i <- average of the copies of variable i                                               (eq. 4)
//   p_f <- p_f - rho (z_f - u)                                                               (eq. 5)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/active_set.hpp"
#include "solve/dual/anderson.hpp"
#include "solve/dual/dual.hpp"

namespace treaty::solve {

using graph::ActiveSet, graph::ActiveSetWorkspace;

struct Ad3Options {
  double penalty = 0.0;       // rho, relative to the size of the scores; 0 chooses
  bool adapt_penalty = true;  // balance the two residuals
  double tolerance = 1e-6;    // the relaxation is solved when its gap, relative to the bound, is below this
  // Configurations that may come or go in one projection by active sets. Few make quick, inexact steps.
  std::size_t rounds = ActiveSet::kExact;
  bool polish = true;         // better the last answer by local search
};

// What a later run on the same or a similar graph can start from.
struct Ad3State {
  std::vector<std::int32_t> origin, degree;  // per factor, in the order of the layout
  std::vector<Kind> kind;
  std::vector<double> price, consensus;
  std::vector<ActiveSet> active;  // of the structured factors, which come last
  double penalty = 0.0;
  double scale = 1.0;  // what prices and penalty were multiplied by
};

class Ad3 final : public DualSolver {
 public:
  Ad3(const Graph& graph, const Ad3Options& options);

  // For branch and bound: single precision is enough to go on from.
  void save(std::vector<float>& prices, std::vector<float>& consensus, double& penalty) const;
  void load(std::span<const float> prices, std::span<const float> consensus, double penalty);

  // For warm starts; `origin` tells where the graph's factors came from, ascending, `scale` how its scores are scaled.
  Ad3State state(std::span<const std::int32_t> origin, double scale) const;
  void start_from(const Ad3State& state, std::span<const std::int32_t> origin, double scale);

 private:
  bool iterate() override;
  bool has_converged() const override;
  double relaxation_gap(double bound) const override;
  void inputs_changed() override;

  bool solve_factors();
  template <class Factor>
  bool solve_group(const Layout::Group& group);
  template <class Factor>
  bool solve_factors(std::int32_t first, std::int32_t last);
  bool project_structured(std::int32_t f, std::span<double> z);
  ActiveSet& active(std::int32_t f) { return active_[f - layout_.oracle.first]; }
  void update_consensus();
  template <int kDegree>
  void update_class(const Layout::Class& variables, double& primal, double& dual);
  void adapt_penalty();
  double imbalance() const;
  void renew_attractors();
  void accelerate();

  Ad3Options options_;
  double rho_;
  std::int64_t next_adapting_ = 10, adapting_pause_ = 10;
  std::vector<double> attractor_;      // by slot: u + p / rho, what a factor projects
  std::vector<ActiveSet> active_;      // of the structured factors, which come last
  std::vector<std::uint8_t> awake_;    // factors whose input changed
  std::vector<std::uint8_t> touched_;  // variables one of whose copies was computed anew
  ActiveSetWorkspace active_workspace_;
  Anderson anderson_;
  std::vector<double> from_, image_, to_;  // consensus and scaled prices, for acceleration
};

}  // namespace treaty::solve
