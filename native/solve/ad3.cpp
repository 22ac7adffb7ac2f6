#include "solve/ad3.hpp"

#include <algorithm>
#include <cmath>

#include "graph/budget.hpp"
#include "graph/knapsack.hpp"
#include "graph/logic.hpp"
#include "graph/reward.hpp"

namespace treaty {
namespace {

// A copy this close to the consensus counts as equal: its factor goes to sleep.
constexpr double kAsleep = 1e-14;
// Residuals may differ by this factor before the penalty is changed, and by so much it is changed at once.
constexpr double kBalance = 4.0, kAdapt = 2.0;

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

Ad3::Ad3(const Graph& graph, const Ad3Options& options)
    : graph_(graph), options_(options), layout_(graph), rounder_(graph, layout_) {
  const auto n = graph.variables();
  slot_.resize(layout_.slots());
  u_.assign(n, 0.5);
  fixed_.assign(graph.evidence.begin(), graph.evidence.end());
  active_.resize(layout_.factors());
  awake_.assign(layout_.factors(), 1);
  stale_.assign(layout_.factors(), 1);
  share_.assign(layout_.factors(), 0.0);
  touched_.assign(n, 0);
  std::int32_t widest = 1;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) widest = std::max(widest, layout_.degree(f));
  input_.resize(widest);
  z_.resize(widest);
  scratch_.resize(4 * static_cast<std::size_t>(widest));
  initialise_prices();
  rho_ = choose_penalty();
}

void Ad3::initialise_prices() {
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
void Ad3::restore_price_sums() {
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

// The penalty is measured in scores, so that scaling every score changes nothing.
double Ad3::choose_penalty() const {
  double sum = 0.0;
  std::int64_t count = 0;
  for (const auto& slot : slot_)
    if (slot.price != 0.0) sum += std::abs(slot.price), ++count;
  for (const auto& factor : layout_.view)
    if (const double spread = spread_of(factor); spread > 0.0) sum += spread, ++count;
  const double scale = count ? sum / static_cast<double>(count) : 1.0;
  return scale * (options_.penalty > 0.0 ? options_.penalty : 0.5);
}

template <class Kernel>
bool Ad3::solve_group(const Layout::Group& group, Kernel kernel) {
  const double inverse = 1.0 / rho_;
  for (auto f = group.first; f < group.last; ++f) {
    if (!awake_[f]) continue;
    const auto begin = layout_.slot_begin[f], n = layout_.degree(f);
    for (int i = 0; i < n; ++i) input_[i] = literal_consensus(begin + i) + slot_[begin + i].price * inverse;
    if (!kernel(f, n)) return false;
    for (int i = 0; i < n; ++i) {
      slot_[begin + i].copy = input_[i];
      touched_[layout_.slot_variable[begin + i]] = 1;
    }
  }
  return true;
}

// False when a factor turns out to have no configuration.
bool Ad3::solve_factors() {
  double* z = input_.data();
  double* scratch = scratch_.data();
  const auto& view = layout_.view;
  for (const auto& group : layout_.groups) {
    bool possible = true;
    auto closed = [&](auto kernel) {
      possible = solve_group(group, [&](std::int32_t f, int n) { return kernel(f, n), true; });
    };
    auto checked = [&](auto kernel) { possible = solve_group(group, kernel); };
    switch (group.kind) {
      case Kind::ExactlyOne: closed([&](auto, int n) { project_exactly_one(z, n, scratch); }); break;
      case Kind::AtMostOne: closed([&](auto, int n) { project_at_most_one(z, n, scratch); }); break;
      case Kind::AtLeastOne: closed([&](auto, int n) { project_at_least_one(z, n, scratch); }); break;
      case Kind::OrWithOutput: closed([&](auto, int n) { project_or_with_output(z, n, scratch); }); break;
      case Kind::Reward:
        closed([&](auto f, int n) { project_reward(z, n, view[f].data[0] / rho_, scratch); });
        break;
      case Kind::AtMost:
        checked([&](auto f, int n) { return project_at_most(z, n, view[f].shape[0], scratch); });
        break;
      case Kind::Exactly:
        checked([&](auto f, int n) { return project_exactly(z, n, view[f].shape[0], scratch); });
        break;
      case Kind::Knapsack:
        checked([&](auto f, int n) {
          return project_knapsack(z, n, view[f].data.data(), view[f].data[n], scratch);
        });
        break;
      default:
        checked([&](auto f, int n) {
          const std::span<double> projected(z_.data(), n);
          if (!active_[f].project({z, static_cast<std::size_t>(n)}, 1.0 / rho_, *layout_.oracle[f], projected,
                                  workspace_))
            return false;
          std::copy(projected.begin(), projected.end(), z);
          return true;
        });
    }
    if (!possible) return false;
  }
  return true;
}

void Ad3::update_consensus() {
  const double alpha = options_.over_relaxation;
  double primal = 0.0, dual = 0.0;
  std::fill(awake_.begin(), awake_.end(), 0);
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    if (!touched_[v]) continue;
    touched_[v] = 0;
    const auto begin = layout_.variable_begin[v], end = layout_.variable_begin[v + 1];
    const double old = u_[v];
    double sum = 0.0;
    for (auto i = begin; i < end; ++i) {
      const auto s = layout_.variable_slots[i];
      sum += layout_.slot_negated[s] ? 1.0 - slot_[s].copy : slot_[s].copy;
    }
    const double mean = sum / (end - begin);
    // Over-relaxed: the copies are replaced by alpha z + (1 - alpha) u_old, whose mean this is.
    const double u = fixed_[v] >= 0 ? fixed_[v] : alpha * mean + (1.0 - alpha) * old;
    const double moved = u - old;
    bool changed = std::abs(moved) > kAsleep;
    for (auto i = begin; i < end; ++i) {
      const auto s = layout_.variable_slots[i];
      const bool negated = layout_.slot_negated[s];
      const double z = negated ? 1.0 - slot_[s].copy : slot_[s].copy;
      const double relaxed = alpha * z + (1.0 - alpha) * old - u;
      primal += (z - mean) * (z - mean);
      if (std::abs(relaxed) > kAsleep) {
        changed = true;
        slot_[s].price -= negated ? -rho_ * relaxed : rho_ * relaxed;
        stale_[layout_.slot_factor[s]] = 1;
      }
    }
    dual += (end - begin) * moved * moved;
    u_[v] = u;
    if (changed)
      for (auto i = begin; i < end; ++i) awake_[layout_.slot_factor[layout_.variable_slots[i]]] = 1;
  }
  const double slots = std::max<double>(1.0, layout_.slots());
  primal_residual_ = std::sqrt(primal / slots);
  dual_residual_ = std::sqrt(dual / slots);
}

// Residual balancing, ever more rarely so that the method converges as with a constant penalty.
void Ad3::adapt_penalty() {
  const double before = rho_;
  if (primal_residual_ > kBalance * dual_residual_)
    rho_ *= kAdapt;
  else if (dual_residual_ > kBalance * primal_residual_)
    rho_ /= kAdapt;
  if (rho_ != before) std::fill(awake_.begin(), awake_.end(), 1);
}

double Ad3::bound_of(std::int32_t f) {
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
    case Kind::AtMost: return maximise_at_most(p, n, factor.shape[0], z_.data(), scratch_.data()) - offset;
    case Kind::Exactly: return maximise_exactly(p, n, factor.shape[0], z_.data(), scratch_.data()) - offset;
    case Kind::Knapsack:
      return maximise_knapsack(p, n, factor.data.data(), factor.data[n], z_.data(), scratch_.data()) - offset;
    default: {
      layout_.oracle[f]->maximise({p, static_cast<std::size_t>(n)}, configuration_);
      double best = configuration_.score;
      for (auto slot : configuration_.on) best += p[slot];
      return best - offset;
    }
  }
}

double Ad3::dual_bound() {
  double bound = 0.0;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    if (stale_[f]) {
      share_[f] = bound_of(f);
      stale_[f] = 0;
    }
    bound += share_[f];
  }
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto begin = layout_.variable_begin[v], end = layout_.variable_begin[v + 1];
    if (fixed_[v] > 0) {  // prices of a fixed variable need not sum to its score
      bound += graph_.score[v];
      for (auto i = begin; i < end; ++i) {
        const auto s = layout_.variable_slots[i];
        bound -= layout_.slot_negated[s] ? -slot_[s].price : slot_[s].price;
      }
    } else if (begin == end && fixed_[v] < 0) {
      bound += std::max(0.0, graph_.score[v]);
    }
  }
  return bound;
}

// The least any assignment can score; -inf where a user's factor does not tell.
double Ad3::least_score() const {
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

void Ad3::try_rounding(Outcome& best) {
  const double objective = rounder_.round(u_, fixed_);
  if (objective <= best.objective) return;
  best.objective = objective;
  best.values.assign(rounder_.values().begin(), rounder_.values().end());
}

Outcome Ad3::run(const Limits& limits) {
  constexpr std::int64_t kCheckEvery = 10;
  const Stopwatch watch;
  const double floor = least_score();
  Outcome best;
  std::int64_t next_rounding = 2 * kCheckEvery, next_adapting = iteration_ + 10, adapting_pause = 10;
  bool converged = false, stopped = false;
  best.bound = dual_bound();

  auto check = [&] {
    best.bound = std::min(best.bound, dual_bound());
    const Progress now{iteration_, watch.seconds(), best.objective, best.bound, primal_residual_, dual_residual_};
    if (limits.trace) best.trace.push_back(now);
    return now;
  };
  auto proved = [&] { return best.bound - best.objective <= std::max(limits.gap, certified_slack(best.objective)); };

  for (std::int64_t t = 1; t <= limits.iterations && !converged && !stopped; ++t) {
    if (!solve_factors()) {
      best.status = Status::Infeasible;
      break;
    }
    update_consensus();
    ++iteration_;
    best.iterations = t;
    converged = primal_residual_ < options_.tolerance && dual_residual_ < options_.tolerance;
    stopped = watch.seconds() > limits.seconds;
    if (t % kCheckEvery == 0 || converged || stopped || t == limits.iterations) {
      const bool integral = primal_residual_ < 1e-3 && is_integral();
      if (integral || converged || stopped || t >= next_rounding || t == limits.iterations) {
        try_rounding(best);
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
    if (options_.adapt_penalty && iteration_ >= next_adapting) {
      adapt_penalty();
      adapting_pause += adapting_pause / 4;
      next_adapting = iteration_ + adapting_pause;
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

bool Ad3::is_integral() const {
  return std::ranges::all_of(u_, [](double u) { return u < 1e-3 || u > 1.0 - 1e-3; });
}

void Ad3::fix(std::span<const std::int8_t> fixed) {
  fixed_.assign(fixed.begin(), fixed.end());
  for (std::size_t v = 0; v < fixed_.size(); ++v)
    if (fixed_[v] >= 0) u_[v] = fixed_[v];
  std::ranges::fill(awake_, 1);
}

void Ad3::save(std::vector<float>& prices, std::vector<float>& consensus, double& penalty) const {
  prices.resize(slot_.size());
  std::ranges::transform(slot_, prices.begin(), [](const Slot& s) { return static_cast<float>(s.price); });
  consensus.assign(u_.begin(), u_.end());
  penalty = rho_;
}

void Ad3::load(std::span<const float> prices, std::span<const float> consensus, double penalty) {
  for (std::size_t s = 0; s < slot_.size(); ++s) slot_[s].price = prices[s];
  u_.assign(consensus.begin(), consensus.end());
  rho_ = penalty;
  restore_price_sums();
  std::ranges::fill(awake_, 1);
  std::ranges::fill(stale_, 1);
}

Ad3State Ad3::state(std::span<const std::int32_t> origin) const {
  Ad3State state;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    state.origin.push_back(origin[layout_.index[f]]);
    state.degree.push_back(layout_.degree(f));
    state.kind.push_back(layout_.view[f].kind);
  }
  for (const auto& slot : slot_) state.price.push_back(slot.price);
  state.consensus = u_;
  state.active = active_;
  state.penalty = rho_;
  return state;
}

// Factors are matched by where they came from; one that is new or looks different starts cold.
void Ad3::start_from(const Ad3State& state, std::span<const std::int32_t> origin) {
  std::size_t slot = 0, next = 0;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    while (next < state.origin.size() && (state.kind[next] < layout_.view[f].kind ||
                                          (state.kind[next] == layout_.view[f].kind &&
                                           state.origin[next] < origin[layout_.index[f]])))
      slot += state.degree[next++];
    if (next == state.origin.size()) break;
    if (state.kind[next] != layout_.view[f].kind || state.origin[next] != origin[layout_.index[f]] ||
        state.degree[next] != layout_.degree(f))
      continue;
    for (int i = 0; i < layout_.degree(f); ++i) slot_[layout_.slot_begin[f] + i].price = state.price[slot + i];
    active_[f] = state.active[next];
    slot += state.degree[next++];
  }
  if (state.consensus.size() == u_.size()) u_ = state.consensus;
  for (std::size_t v = 0; v < u_.size(); ++v)
    if (fixed_[v] >= 0) u_[v] = fixed_[v];
  rho_ = state.penalty;
  restore_price_sums();
}

}  // namespace treaty
