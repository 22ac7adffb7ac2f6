#include "solve/dual/ad3.hpp"

#include <algorithm>
#include <cmath>

#include "graph/factors.hpp"

namespace treaty::solve {

namespace {

// A copy this close to the consensus counts as equal: its factor goes to sleep.
constexpr double kAsleep = 1e-14;
// Residuals may differ by this factor before the penalty is changed, and by so much it is changed at once and in all, at
// most: without an answer, one of them never shrinks.
constexpr double kBalance = 4.0, kMostAdapt = 10.0, kMostInAll = 1e12;
constexpr double kPenalty = 0.5;
// Acceleration pays in the long tail, when the iterates move along a line or a spiral.
constexpr std::int64_t kAccelerateFrom = 100, kAccelerateEvery = 10;
constexpr double kTooUneven = 100.0;

}  // namespace

Ad3::Ad3(const Graph& graph, const Ad3Options& options) : DualSolver(graph, options.tolerance), options_(options) {
  active_.resize(layout_.oracle.all.size());
  attractor_.resize(layout_.slots());
  awake_.resize(layout_.factors());
  touched_.assign(layout_.variables(), 0);
  set_polishing(options.polish);
  // Measured in scores, so that scaling every score changes nothing.
  rho_ = score_scale_ * (options.penalty > 0.0 ? options.penalty : kPenalty);
  renew_attractors();
}

bool Ad3::iterate() {
  if (!solve_factors()) return false;
  update_consensus();
  if (options_.adapt_penalty && iteration_ >= next_adapting_) {
    adapt_penalty();
    adapting_pause_ += adapting_pause_ / 4;
    next_adapting_ = iteration_ + adapting_pause_;
  }
  // Halfway between two checks, so that the copies have caught up with the prices when they are looked at.
  if (iteration_ >= kAccelerateFrom && iteration_ % kAccelerateEvery == kAccelerateEvery / 2) accelerate();
  return true;
}

void Ad3::accelerate() {
  if (imbalance() > kTooUneven) {  // a better penalty comes first
    anderson_.reset();
    from_.clear();
    return;
  }
  const auto n = layout_.variables();
  to_.resize(u_.size() + price_.size());
  std::ranges::copy(u_, to_.begin());
  for (std::int32_t s = 0; s < layout_.slots(); ++s) to_[n + s] = price_[s] / rho_;
  if (!from_.empty()) {
    image_ = to_;
    anderson_.step(from_, to_);
    for (std::int32_t v = 0; v < n; ++v)
      if (fixed_[v] < 0) u_[v] = to_[v];
    for (std::int32_t s = 0; s < layout_.slots(); ++s) {
      const auto v = layout_.slot_variable[s];
      if (to_[n + s] == image_[n + s] && to_[v] == image_[v]) continue;  // its factor may sleep on
      if (to_[n + s] != image_[n + s]) price_[s] = to_[n + s] * rho_;
      attractor_[s] = u_[v] + price_[s] / rho_;
      awake_[layout_.slot_factor[s]] = 1;
      stale_[layout_.slot_factor[s]] = 1;
    }
    restore_price_sums();
  }
  from_ = to_;
}

bool Ad3::has_converged() const {
  // The gap of the relaxation is the test; this one is for iterates that stand still.
  const double tolerance = 1e-3 * options_.tolerance;
  return primal_residual_ < tolerance && dual_residual_ < tolerance;
}

// The copies are a point of the relaxation but for their disagreement, which is valued at the prices.
double Ad3::relaxation_gap(double bound) const {
  double value = loose_value(), disagreement = 0.0;
  for (std::int32_t s = 0; s < layout_.slots(); ++s) {
    value += price_[s] * copy_[s];
    disagreement += std::abs(price_[s] * (copy_[s] - u_[layout_.slot_variable[s]]));
  }
  std::vector<double> z(input_.size());
  for (const auto& group : layout_.groups)
    visit(group.kind, [&](auto factor) {
      for (auto f = group.first; f < group.last; ++f) {
        if constexpr (factor.structured) {
          value += active_[f - layout_.oracle.first].own_score();
        } else if constexpr (requires { factor.relaxed_score(layout_.view[f], z.data(), 0); }) {
          layout_.gather(f, copy_, z.data());
          value += factor.relaxed_score(layout_.view[f], z.data(), layout_.degree(f));
        }
      }
    });
  return bound - value + disagreement;
}

void Ad3::inputs_changed() {
  renew_attractors();
  anderson_.reset();
  from_.clear();
}

void Ad3::renew_attractors() {
  for (std::int32_t s = 0; s < layout_.slots(); ++s)
    attractor_[s] = u_[layout_.slot_variable[s]] + price_[s] / rho_;
  std::ranges::fill(awake_, 1);
}

// False when a factor turns out to have no configuration.
bool Ad3::solve_factors() {
  return std::ranges::all_of(layout_.groups, [&](const Layout::Group& group) {
    return visit(group.kind, [&](auto factor) { return solve_group<graph::Solved<decltype(factor)>>(group); });
  });
}

template <class Factor>
bool Ad3::solve_group(const Layout::Group& group) {
  bool possible = true;
  layout_.for_each_block(group.first, group.last, [&](auto first, auto last) {
    possible = possible && solve_factors<Factor>(first, last);
  });
  return possible;
}

template <class Factor>
bool Ad3::solve_factors(std::int32_t first, std::int32_t last) {
  double* z = input_.data();
  for (auto f = first; f < last; ++f) {
    if (!awake_[f]) continue;
    stale_[f] = 1;
    layout_.gather(f, attractor_, z);
    const auto n = layout_.degree(f);
    if constexpr (Factor::structured) {
      if (!project_structured(f, {z, static_cast<std::size_t>(n)})) return false;
    } else {
      if (!Factor::project(layout_.view[f], z, n, rho_, workspace_.doubles.data())) return false;
    }
    layout_.scatter(f, z, copy_);
    for (auto s : layout_.slots_of(f)) touched_[layout_.slot_variable[s]] = 1;
  }
  return true;
}

bool Ad3::project_structured(std::int32_t f, std::span<double> z) {
  const auto projected = std::span(y_).first(z.size());
  const bool possible = active(f).project(z, 1.0 / rho_, *layout_.oracle[f], projected, active_workspace_, options_.rounds);
  if (possible) std::ranges::copy(projected, z.begin());
  return possible;
}

void Ad3::update_consensus() {
  double primal = 0.0, dual = 0.0;
  std::ranges::fill(awake_, 0);
  for (const auto& variables : layout_.classes) switch (variables.degree) {
      case 1: update_class<1>(variables, primal, dual); break;
      case 2: update_class<2>(variables, primal, dual); break;
      case 3: update_class<3>(variables, primal, dual); break;
      case 4: update_class<4>(variables, primal, dual); break;
      default: update_class<0>(variables, primal, dual);
    }
  const double slots = std::max<double>(1.0, layout_.slots());
  primal_residual_ = std::sqrt(primal / slots);
  dual_residual_ = std::sqrt(dual / slots);
}

// Variables of one degree, known to the compiler unless kDegree is 0.
template <int kDegree>
void Ad3::update_class(const Layout::Class& variables, double& primal, double& dual) {
  const int degree = kDegree > 0 ? kDegree : variables.degree;
  const double rho = rho_, inverse = 1.0 / rho;
  double disagreement = primal, movement = dual;  // in registers: the compiler cannot know that no array holds them
  auto slot = variables.slot;
  for (auto k = variables.first; k < variables.last; ++k, slot += degree) {
    const auto v = layout_.by_degree[k];
    if (!touched_[v]) continue;
    touched_[v] = 0;
    const double* copy = &copy_[slot];
    double* price = &price_[slot];
    double* attractor = &attractor_[slot];
    double sum = 0.0;
    for (int i = 0; i < degree; ++i) sum += copy[i];
    const double u = fixed_[v] >= 0 ? fixed_[v] : sum / degree;
    const double moved = u - u_[v];
    double change = std::abs(moved);
    for (int i = 0; i < degree; ++i) {
      const double excess = copy[i] - u;
      disagreement += excess * excess;
      price[i] -= rho * excess;
      attractor[i] = u + price[i] * inverse;
      change = std::max(change, std::abs(excess));
    }
    movement += degree * moved * moved;
    u_[v] = u;
    if (change > kAsleep)
      for (int i = 0; i < degree; ++i) awake_[layout_.slot_factor[slot + i]] = 1;
  }
  primal = disagreement;
  dual = movement;
}

// Residual balancing, ever more rarely so that the method converges as with a constant penalty.
void Ad3::adapt_penalty() {
  const double ratio = imbalance();
  if (ratio < kBalance) return;
  const double factor = std::min(kMostAdapt, std::sqrt(ratio));
  const double start = score_scale_ * (options_.penalty > 0.0 ? options_.penalty : kPenalty);
  rho_ *= primal_residual_ > dual_residual_ ? factor : 1.0 / factor;
  rho_ = std::clamp(rho_, start / kMostInAll, start * kMostInAll);
  inputs_changed();
}

// By what factor one residual exceeds the other; 1 when there is none left.
double Ad3::imbalance() const {
  const auto [least, most] = std::minmax(primal_residual_, dual_residual_);
  return most == 0.0 ? 1.0 : least == 0.0 ? kInfinity : most / least;
}

void Ad3::save(std::vector<float>& prices, std::vector<float>& consensus, double& penalty) const {
  prices.assign(price_.begin(), price_.end());
  consensus.assign(u_.begin(), u_.end());
  penalty = rho_;
}

void Ad3::load(std::span<const float> prices, std::span<const float> consensus, double penalty) {
  u_.assign(consensus.begin(), consensus.end());
  rho_ = penalty;
  // In a part of the tree without an answer prices grow without limit; singles hold less than doubles.
  if (std::ranges::all_of(prices, [](float price) { return std::isfinite(price); })) {
    price_.assign(prices.begin(), prices.end());
    restore_price_sums();
  } else {
    initialize_prices();
  }
  std::ranges::fill(stale_, 1);
  fix(std::vector(fixed_));
}

Ad3State Ad3::state(std::span<const std::int32_t> origin, double scale) const {
  Ad3State state;
  state.origin.reserve(layout_.factors());
  state.degree.reserve(layout_.factors());
  state.kind.reserve(layout_.factors());
  state.price.reserve(price_.size());
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    state.origin.push_back(origin[layout_.index[f]]);
    state.degree.push_back(layout_.degree(f));
    state.kind.push_back(layout_.view[f].kind);
    for (auto s : layout_.slots_of(f)) state.price.push_back(price_[s]);
  }
  state.consensus = u_;
  state.active = active_;
  state.penalty = rho_;
  state.scale = scale;
  return state;
}

// Factors are matched by where they came from; one that is new or looks different starts cold.
void Ad3::start_from(const Ad3State& state, std::span<const std::int32_t> origin, double scale) {
  constexpr double kMost = 1e6;  // times the scores: those of an infeasible graph grow without limit, and are no start
  const double ratio = scale / state.scale;
  // Nor is a penalty made for scores of another size.
  if (!(ratio * state.penalty <= kMost * score_scale_ && ratio * state.penalty * kMost >= score_scale_)) return;
  const auto is_usable = [&](double price) { return std::abs(ratio * price) <= kMost * score_scale_; };
  if (!std::ranges::all_of(state.price, is_usable)) return;
  const auto closed = state.origin.size() - state.active.size();
  std::size_t slot = 0, next = 0;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    const auto key = std::pair(layout_.view[f].kind, origin[layout_.index[f]]);
    while (next < state.origin.size() && std::pair(state.kind[next], state.origin[next]) < key)
      slot += state.degree[next++];
    if (next == state.origin.size()) break;
    if (std::pair(state.kind[next], state.origin[next]) != key || state.degree[next] != layout_.degree(f)) continue;
    for (auto s : layout_.slots_of(f)) price_[s] = ratio * state.price[slot++];
    if (auto* oracle = layout_.oracle[f]) {
      poll(layout_.degree(f));
      active(f) = state.active[next - closed];
      active(f).refresh(*oracle);
    }
    ++next;
  }
  if (state.consensus.size() == u_.size()) u_ = state.consensus;
  for (std::size_t v = 0; v < u_.size(); ++v)
    if (fixed_[v] >= 0) u_[v] = fixed_[v];
  settle_loose_variables();
  rho_ = ratio * state.penalty;
  restore_price_sums();
  renew_attractors();
}

}  // namespace treaty::solve
