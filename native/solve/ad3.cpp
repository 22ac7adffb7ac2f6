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
constexpr double kPenalty = 0.5;

}  // namespace

Ad3::Ad3(const Graph& graph, const Ad3Options& options) : DualSolver(graph, options.tolerance), options_(options) {
  active_.resize(layout_.factors());
  awake_.assign(layout_.factors(), 1);
  touched_.assign(layout_.variables(), 0);
  // Measured in scores, so that scaling every score changes nothing.
  rho_ = score_scale() * (options.penalty > 0.0 ? options.penalty : kPenalty);
}

bool Ad3::iterate() {
  if (!solve_factors()) return false;
  update_consensus();
  if (options_.adapt_penalty && iteration_ >= next_adapting_) {
    adapt_penalty();
    adapting_pause_ += adapting_pause_ / 4;
    next_adapting_ = iteration_ + adapting_pause_;
  }
  return true;
}

bool Ad3::has_converged() const {
  return primal_residual_ < options_.tolerance && dual_residual_ < options_.tolerance;
}

// The copies are a point of the relaxation but for their disagreement, which is valued at the prices.
double Ad3::relaxation_gap(double bound) const {
  double value = 0.0, disagreement = 0.0;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    double least = 1.0, sum = 0.0;
    const auto begin = layout_.slot_begin[f], end = layout_.slot_begin[f + 1];
    for (auto s = begin; s < end; ++s) {
      const auto [price, copy] = slot_[s];
      value += price * (layout_.slot_negated[s] ? copy - 1.0 : copy);
      disagreement += std::abs(price * (copy - literal_consensus(s)));
      least = std::min(least, copy);
      sum += copy;
    }
    if (layout_.view[f].kind == Kind::Reward) {
      const double w = layout_.view[f].data[0];
      value += w > 0.0 ? w * least : w * std::max(0.0, sum - (end - begin - 1));
    } else if (layout_.oracle[f]) {
      value += active_[f].own_score();
    }
  }
  return bound - (value + loose_value()) + disagreement;
}

void Ad3::inputs_changed() { std::ranges::fill(awake_, 1); }

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
  double* scratch = workspace_.doubles.data();
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
          const std::span<double> projected(y_.data(), n);
          if (!active_[f].project({z, static_cast<std::size_t>(n)}, 1.0 / rho_, *layout_.oracle[f], projected,
                                  active_workspace_))
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
    const double mean = fixed_[v] >= 0 ? fixed_[v] : sum / (end - begin);
    // Over-relaxed: the copies are replaced by alpha z + (1 - alpha) u_old, whose mean this is.
    const double u = fixed_[v] >= 0 ? mean : alpha * mean + (1.0 - alpha) * old;
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
