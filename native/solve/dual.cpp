#include "solve/dual.hpp"

#include <algorithm>
#include <cmath>

#include "graph/budget.hpp"
#include "graph/knapsack.hpp"
#include "graph/logic.hpp"
#include "graph/reward.hpp"

namespace treaty {
namespace {

double spread_of(const FactorView& factor) {  // how far apart a factor's own scores lie
  if (factor.kind == Kind::Reward) return std::abs(factor.data[0]);
  if (factor.kind != Kind::Table && factor.kind != Kind::Sequence && factor.kind != Kind::CompressionTree)
    return 0.0;
  double sum = 0.0;
  int finite = 0;
  for (double s : factor.data)
    if (s != -kInfinity) sum += std::abs(s), ++finite;
  return finite ? sum / finite : 0.0;
}

}  // namespace

DualSolver::DualSolver(const Graph& graph, double tolerance)
    : graph_(graph), layout_(graph), rounder_(graph, layout_), tolerance_(tolerance) {
  slot_.resize(layout_.slots());
  u_.assign(graph.variables(), 0.5);
  fixed_.assign(graph.evidence.begin(), graph.evidence.end());
  stale_.assign(layout_.factors(), 1);
  share_.assign(layout_.factors(), 0.0);
  std::int32_t widest = 1;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) widest = std::max(widest, layout_.degree(f));
  input_.resize(widest);
  y_.resize(widest);
  workspace_.reserve(4 * static_cast<std::size_t>(widest));
  initialise_prices();
}

void DualSolver::initialise_prices() {
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto begin = layout_.variable_begin[v], end = layout_.variable_begin[v + 1];
    if (fixed_[v] >= 0) u_[v] = fixed_[v];
    if (begin == end && fixed_[v] < 0) u_[v] = graph_.score[v] > 0.0;
    for (auto i = begin; i < end; ++i) {
      const auto s = layout_.variable_slots[i];
      const double share = graph_.score[v] / (end - begin);
      slot_[s].price = layout_.slot_negated[s] ? -share : share;
      slot_[s].copy = literal_consensus(s);
    }
  }
}

// Prices of a free variable must sum to its score; what is missing is spread evenly.
void DualSolver::restore_price_sums() {
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto begin = layout_.variable_begin[v], end = layout_.variable_begin[v + 1];
    double missing = graph_.score[v];
    for (auto i = begin; i < end; ++i) {
      const auto s = layout_.variable_slots[i];
      missing -= layout_.slot_negated[s] ? -slot_[s].price : slot_[s].price;
    }
    for (auto i = begin; i < end; ++i) {
      const auto s = layout_.variable_slots[i];
      const double share = missing / (end - begin);
      slot_[s].price += layout_.slot_negated[s] ? -share : share;
    }
  }
}

double DualSolver::score_scale() const {
  double sum = 0.0;
  std::int64_t count = 0;
  for (const auto& slot : slot_)
    if (slot.price != 0.0) sum += std::abs(slot.price), ++count;
  for (const auto& factor : layout_.view)
    if (const double spread = spread_of(factor); spread > 0.0) sum += spread, ++count;
  return count ? sum / static_cast<double>(count) : 1.0;
}

double DualSolver::bound_of(std::int32_t f) {
  const auto begin = layout_.slot_begin[f], n = layout_.degree(f);
  double offset = 0.0;  // p (1 - x) = p - p x: the constant of negated slots
  for (int i = 0; i < n; ++i) {
    input_[i] = slot_[begin + i].price;
    if (layout_.slot_negated[begin + i]) offset += input_[i];
  }
  const double* p = input_.data();
  const auto& factor = layout_.view[f];
  switch (factor.kind) {
    case Kind::ExactlyOne: return best_exactly_one(p, n) - offset;
    case Kind::AtMostOne: return best_at_most_one(p, n) - offset;
    case Kind::AtLeastOne: return best_at_least_one(p, n) - offset;
    case Kind::OrWithOutput: return best_or_with_output(p, n) - offset;
    case Kind::Reward: return best_reward(p, n, factor.data[0]) - offset;
    case Kind::AtMost: return maximise_at_most(p, n, factor.shape[0], y_.data(), workspace_.doubles.data()) - offset;
    case Kind::Exactly: return maximise_exactly(p, n, factor.shape[0], y_.data(), workspace_.doubles.data()) - offset;
    case Kind::Knapsack:
      return maximise_knapsack(p, n, factor.data.data(), factor.data[n], y_.data(), workspace_.doubles.data()) - offset;
    default: {
      layout_.oracle[f]->maximise({p, static_cast<std::size_t>(n)}, configuration_);
      double best = configuration_.score;
      for (auto slot : configuration_.on) best += p[slot];
      return best - offset;
    }
  }
}

double DualSolver::dual_bound() {
  double bound = 0.0;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    if (stale_[f]) {
      share_[f] = bound_of(f);
      stale_[f] = 0;
    }
    bound += share_[f];
  }
  return bound + loose_value();
}

// What no factor answers for: variables in no factor, and fixed ones, whose prices need not sum to their score.
double DualSolver::loose_value() const {
  double value = 0.0;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto begin = layout_.variable_begin[v], end = layout_.variable_begin[v + 1];
    if (fixed_[v] > 0) {
      value += graph_.score[v];
      for (auto i = begin; i < end; ++i) {
        const auto s = layout_.variable_slots[i];
        value -= layout_.slot_negated[s] ? -slot_[s].price : slot_[s].price;
      }
    } else if (begin == end && fixed_[v] < 0) {
      value += std::max(0.0, graph_.score[v]);
    }
  }
  return value;
}

// The least any assignment can score; -inf where a user's factor does not tell.
double DualSolver::least_score() const {
  double least = 0.0;
  for (double score : graph_.score) least += std::min(0.0, score);
  for (const auto& factor : layout_.view) {
    if (factor.kind == Kind::Custom) return -kInfinity;
    if (factor.kind == Kind::Knapsack) continue;  // its data are costs
    double lowest = 0.0;
    for (double score : factor.data)
      if (score != -kInfinity) lowest = std::min(lowest, score);
    least += factor.kind == Kind::Table ? lowest : lowest * static_cast<double>(factor.data.size());
  }
  return least;
}

void DualSolver::try_rounding(Outcome& best, bool thoroughly) {
  constexpr std::int64_t kPolish = 50;  // slots looked at, relative to an iteration
  double objective = rounder_.round(u_, fixed_);
  if (thoroughly && objective > -kInfinity)
    objective = rounder_.polish(objective, fixed_, kPolish * layout_.slots());
  if (objective <= best.objective) return;
  best.objective = best_objective_ = objective;
  best.values.assign(rounder_.values().begin(), rounder_.values().end());
}

Outcome DualSolver::run(const Limits& limits) {
  constexpr std::int64_t kCheckEvery = 10;
  const Stopwatch watch;
  const double floor = least_score();
  Outcome best;
  seen_bound_ = kInfinity, best_objective_ = -kInfinity;
  std::int64_t next_rounding = 2 * kCheckEvery;
  bool converged = false, stopped = false;
  best.bound = dual_bound();

  auto check = [&] {
    const double bound = dual_bound();
    best.bound = std::min({best.bound, seen_bound_, bound});
    converged = converged || relaxation_gap(bound) <= tolerance_ * (1.0 + std::abs(bound));
    const Progress now{iteration_, watch.seconds(), best.objective, best.bound, primal_residual_, dual_residual_};
    if (limits.trace) best.trace.push_back(now);
    return now;
  };
  auto proved = [&] { return best.bound - best.objective <= std::max(limits.gap, certified_slack(best.objective)); };

  for (std::int64_t t = 1; t <= limits.iterations && !converged && !stopped; ++t) {
    ++iteration_;
    best.iterations = t;
    if (!iterate()) {
      best.status = Status::Infeasible;
      break;
    }
    converged = has_converged();
    stopped = watch.seconds() > limits.seconds;
    if (t % kCheckEvery == 0 || converged || stopped || t == limits.iterations) {
      const bool integral = primal_residual_ < 1e-3 && is_integral();
      if (integral || converged || stopped || t >= next_rounding || t == limits.iterations) {
        try_rounding(best, !integral);
        next_rounding = 2 * t;
      }
      const auto now = check();
      if (best.bound < floor - certified_slack(floor)) {
        best.status = Status::Infeasible;
        break;
      }
      if (proved() || best.bound <= cutoff_) break;
      if (limits.report && limits.report_every > 0 && t % limits.report_every < kCheckEvery)
        stopped = stopped || !limits.report(now);
      if (limits.keep_going) stopped = stopped || !limits.keep_going();
    }
  }
  best.seconds = watch.seconds();
  best.relaxed = u_;
  if (best.status == Status::Infeasible) {
    best.bound = best.objective = -kInfinity;
    best.values.clear();
  } else if (best.objective == -kInfinity) {
    best.status = Status::Unknown;
  } else if (best.bound - best.objective <= certified_slack(best.objective)) {
    best.status = Status::Optimal;
    best.bound = std::max(best.bound, best.objective);
  } else {
    best.status = converged ? Status::Fractional : Status::Feasible;
  }
  return best;
}

bool DualSolver::is_integral() const {
  return std::ranges::all_of(u_, [](double u) { return u < 1e-3 || u > 1.0 - 1e-3; });
}

void DualSolver::fix(std::span<const std::int8_t> fixed) {
  fixed_.assign(fixed.begin(), fixed.end());
  for (std::size_t v = 0; v < fixed_.size(); ++v)
    if (fixed_[v] >= 0) u_[v] = fixed_[v];
  inputs_changed();
}

}  // namespace treaty
