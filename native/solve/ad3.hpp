// AD3: alternating directions dual decomposition (Martins et al. 2011, 2013).
//
// Every factor has a copy z of its variables and prices p for them; the copies are drawn together by
//   z_f <- argmax over the factor's polytope of  p_f . z + score_f(z) - rho/2 |z - u|^2      (2013b, eq. 3)
//   u_i <- average of the copies of variable i                                               (eq. 4)
//   p_f <- p_f - rho (z_f - u)                                                               (eq. 5)
// The prices of a variable always sum to its score, so that the sum of the factors' maxima at these prices is an
// upper bound at every iteration. Prices and copies are kept in literal space: a kernel never sees a negation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/active_set.hpp"
#include "solve/layout.hpp"
#include "solve/rounding.hpp"
#include "solve/solver.hpp"

namespace treaty {

struct Ad3Options {
  double penalty = 0.0;          // rho, relative to the size of the scores; 0 chooses
  bool adapt_penalty = true;     // balance the two residuals
  double tolerance = 1e-6;       // both residuals below this: the relaxation is solved
  double over_relaxation = 1.6;  // 1 is the plain method
};

// What a later run on the same or a similar graph can start from.
struct Ad3State {
  std::vector<std::int32_t> origin, degree;  // per factor, in the order of the layout
  std::vector<Kind> kind;
  std::vector<double> price, consensus;
  std::vector<ActiveSet> active;
  double penalty = 0.0;
};

class Ad3 {
 public:
  Ad3(const Graph& graph, const Ad3Options& options);

  // Runs until a certificate, convergence or a limit; may be called again to go on.
  Outcome run(const Limits& limits);

  // --- for branch and bound -----------------------------------------------------------------------------
  void fix(std::span<const std::int8_t> fixed);   // -1 free; replaces what was fixed before
  void set_cutoff(double cutoff) { cutoff_ = cutoff; }  // stop as soon as the bound falls to this
  const std::vector<double>& consensus() const { return u_; }
  void load(std::span<const float> prices, std::span<const float> consensus, double penalty);
  void save(std::vector<float>& prices, std::vector<float>& consensus, double& penalty) const;
  Rounder& rounder() { return rounder_; }
  int degree(std::int32_t v) const { return layout_.variable_begin[v + 1] - layout_.variable_begin[v]; }

  // --- for warm starts ------------------------------------------------------------------------------------
  Ad3State state(std::span<const std::int32_t> origin) const;
  void start_from(const Ad3State& state, std::span<const std::int32_t> origin);

  double dual_bound();

 private:
  struct Slot {
    double price, copy;
  };

  void initialise_prices();
  void restore_price_sums();
  double choose_penalty() const;
  bool solve_factors();
  template <class Kernel>
  bool solve_group(const Layout::Group& group, Kernel kernel);
  void update_consensus();
  double bound_of(std::int32_t f);
  void adapt_penalty();
  double literal_consensus(std::int32_t s) const {
    const double u = u_[layout_.slot_variable[s]];
    return layout_.slot_negated[s] ? 1.0 - u : u;
  }
  double least_score() const;
  bool is_integral() const;
  void try_rounding(Outcome& best);

  const Graph& graph_;
  Ad3Options options_;
  Layout layout_;
  Rounder rounder_;

  std::vector<Slot> slot_;
  std::vector<double> u_;
  std::vector<std::int8_t> fixed_;
  std::vector<ActiveSet> active_;           // by factor; empty ones for closed forms
  std::vector<std::uint8_t> awake_;         // factors whose input changed
  std::vector<std::uint8_t> touched_;       // variables one of whose copies was computed anew
  std::vector<std::uint8_t> stale_;         // factors whose share of the bound must be computed anew
  std::vector<double> share_;               // of the dual bound, per factor
  double rho_ = 1.0;
  double primal_residual_ = 0.0, dual_residual_ = 0.0;
  double cutoff_ = -kInfinity;
  std::int64_t iteration_ = 0;

  std::vector<double> input_, scratch_, z_;
  ActiveSetWorkspace workspace_;
  Configuration configuration_;
};

}  // namespace treaty
