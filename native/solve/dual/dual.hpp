// What AD3 and the subgradient method share: prices on the slots of the factors, the dual bound they give, the
// rounding of the consensus and the loop that watches limits and certificates.
//
// The prices of a free variable sum to its score, so that the sum of the factors' maxima at these prices is an upper
// bound at every iteration. What their sums miss by rounding goes into the bound, too.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solve/judge.hpp"
#include "solve/dual/layout.hpp"
#include "solve/dual/rounding.hpp"
#include "solve/solver.hpp"

namespace treaty::solve {

using graph::Workspace;

class DualSolver {
 public:
  explicit DualSolver(const Graph& graph, double tolerance = 0.0);
  virtual ~DualSolver() = default;

  // Runs until a certificate, convergence or a limit; may be called again to go on.
  // The relaxation counts as solved when its gap is below `tolerance`, relative to the bound.
  Outcome run(const Limits& limits);
  // The sum of the factors' maxima at the current prices: no assignment scores more.
  double dual_bound();

  void fix(std::span<const std::int8_t> fixed);  // -1 free; replaces what was fixed before
  // Tolerances are relative to what the user sees: to the objective with this on top, and to the user's own scores.
  void set_source(double offset, const Unit& unit = {kInfinity}) {
    offset_ = offset;
    unit_.least = std::min(unit_.least, unit.least);
    unit_.most = unit.most < kInfinity ? std::max(unit_.most, unit.most) : unit_.most + std::abs(offset);
  }
  // Where the consensus starts, if not halfway between off and on.
  void start_at(std::span<const double> consensus);
  void set_cutoff(double cutoff) { cutoff_ = cutoff; }  // stop as soon as the bound falls to this
  const std::vector<double>& consensus() const { return u_; }
  Rounder& rounder();
  // How an application rounds the consensus: writes an assignment and returns its objective, -inf if it found none.
  using Rounding = std::function<double(std::span<const double> consensus, std::vector<std::int8_t>& values)>;
  void set_rounding(Rounding rounding) { rounding_ = std::move(rounding); }
  // How better answers are searched for at the end: from an assignment (perhaps none), with a budget of states to look
  // at; returns a better assignment, or nothing.
  using Search = std::function<std::vector<double>(std::span<const double> values, std::int64_t budget,
                                                   const std::function<bool()>& keep_going)>;
  void set_search(Search search) { search_ = std::move(search); }
  // What an iteration looks at, roughly.
  std::int64_t work() const { return layout_.slots() + layout_.variables() + static_cast<std::int64_t>(graph_.data.size()); }
  // Whether the last answer is bettered by local search; not worth it if somebody will round otherwise.
  void set_polishing(bool polishes) { polishes_ = polishes; }
  // A bound that exceeds an answer by no more than this proves it; relative to the objective that the user sees.
  double slack(double objective) const { return tolerance_of(objective + offset_, unit_); }
  // By how much sums at the current prices may be wrong, as they are rounded.
  double error() const { return error_; }
  // The part of it that is no gap: none, if scores that users' factors hide may be as small.
  double forgiven() const { return knows_scores_ ? error_ : 0.0; }
  int degree(std::int32_t v) const { return layout_.slot_count[v]; }

 protected:
  // One iteration; false when a factor turns out to have no configuration.
  virtual bool iterate() = 0;
  virtual bool has_converged() const = 0;
  // How far the relaxation may still be from solved, given the bound at the current prices; inf if unknown.
  virtual double relaxation_gap(double) const { return kInfinity; }
  virtual void inputs_changed() {}  // by a fixing

  void initialize_prices();
  bool answer_prices(std::vector<double>& answers);
  bool answer_prices(std::int32_t first, std::int32_t last, std::vector<double>& answers);
  void restore_price_sums();
  double loose_value() const;
  void settle_loose_variables();
  bool is_lost() const { return !(error_ < kLost); }

  const Graph& graph_;
  Layout layout_;
  std::unique_ptr<Rounder> rounder_;  // made when first asked for
  Rounding rounding_;
  Search search_;
  bool polishes_ = true;
  std::vector<double> price_, copy_;  // by slot
  std::vector<double> u_;             // the consensus
  std::vector<std::int8_t> fixed_;    // -1 free
  std::vector<std::uint8_t> stale_;   // factors whose share of the bound must be computed anew
  double score_scale_ = 1.0;          // the mean size of prices and factors' own scores
  double primal_residual_ = 0.0, dual_residual_ = 0.0;
  double seen_bound_ = kInfinity;       // the least dual bound met on the way
  double best_objective_ = -kInfinity;  // of this run
  std::int64_t iteration_ = 0;
  std::vector<double> input_, y_;  // as wide as the widest factor
  Workspace workspace_;
  Configuration configuration_;

 private:
  static constexpr double kLost = 1e120;  // an error so large: the prices ran away

  void measure_scores();
  template <class Factor>
  double bound_of(std::int32_t f);
  enum class Ending { Stopped, Solved, Infeasible };  // of a run: the relaxation is solved, or has no point
  Ending run_until(const Limits& limits, const Stopwatch& watch, Outcome& best);
  double least_score() const;
  double measure_drift();
  bool has_dead_factor();
  bool is_below_all(double floor, const Outcome& best) const;
  bool is_integral() const;
  void try_rounding(bool thoroughly, Outcome& best);
  void search_on(const Limits& limits, const Stopwatch& watch, bool out_of_time, Outcome& best);
  std::vector<double> votes();

  std::vector<std::int8_t> rounded_;
  std::vector<double> share_;  // of the dual bound, per factor
  double tolerance_;
  Unit unit_;           // of the tolerances
  double own_size_ = 0.0;  // of what the factors' own scores add up to
  bool knows_scores_ = true;
  double error_ = 0.0;
  double offset_ = 0.0;
  double cutoff_ = -kInfinity;
};

}  // namespace treaty::solve
