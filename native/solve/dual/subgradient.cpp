#include "solve/dual/subgradient.hpp"

#include <algorithm>
#include <cmath>

namespace treaty::solve {

Subgradient::Subgradient(const Graph& graph, const SubgradientOptions& options)
    : DualSolver(graph), options_(options), scale_(score_scale_), mean_(u_) {}

bool Subgradient::iterate() {
  const double bound = dual_bound();
  seen_bound_ = std::min(seen_bound_, bound + error());
  if (is_lost()) return true;  // the steps are too long: the run ends
  if (!answer_prices(copy_)) return false;
  const double squared_norm = find_disagreement();
  agreed_ = squared_norm == 0.0;
  if (agreed_) {
    u_ = mean_;  // all factors gave the same answer: it is optimal
    return true;
  }
  const double step = step_length(bound, squared_norm);
  for (std::int32_t s = 0; s < layout_.slots(); ++s) {
    const double difference = copy_[s] - mean_[layout_.slot_variable[s]];
    if (difference == 0.0) continue;
    price_[s] -= step * difference;
    stale_[layout_.slot_factor[s]] = 1;
  }
  return true;
}

double Subgradient::find_disagreement() {
  double squared_norm = 0.0, moved = 0.0;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [begin, end] = layout_.slots_of_variable(v);
    if (begin == end) continue;
    double sum = 0.0;
    for (auto s = begin; s < end; ++s) sum += copy_[s];
    mean_[v] = fixed_[v] >= 0 ? fixed_[v] : sum / (end - begin);
    for (auto s = begin; s < end; ++s) {
      const double difference = copy_[s] - mean_[v];
      squared_norm += difference * difference;
    }
    const double change = (mean_[v] - u_[v]) / static_cast<double>(iteration_);
    u_[v] += change;
    moved += (end - begin) * change * change;
  }
  const double slots = std::max<double>(1.0, layout_.slots());
  primal_residual_ = std::sqrt(squared_norm / slots);
  dual_residual_ = std::sqrt(moved / slots);
  return squared_norm;
}

double Subgradient::step_length(double bound, double squared_norm) {
  if (bound > last_bound_) ++rises_;
  last_bound_ = bound;
  switch (options_.rule) {
    case StepRule::Decreasing: return options_.step * scale_ / std::sqrt(static_cast<double>(iteration_));
    case StepRule::Rush: return options_.step * scale_ / (1.0 + static_cast<double>(rises_));
    case StepRule::Polyak: break;
  }
  // The best answer may lie well below the dual optimum (or be unknown yet): rises tell that the aim is too low.
  const double target = std::isfinite(best_objective_) ? best_objective_ : seen_bound_ - scale_;
  const double factor = options_.step / (1.0 + 0.1 * static_cast<double>(rises_));
  return factor * std::max(bound - target, 1e-12 * scale_) / squared_norm;
}

}  // namespace treaty::solve
