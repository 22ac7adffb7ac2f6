#include "solve/dual/dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph/factors.hpp"

namespace treaty::solve {

using graph::Solved;

DualSolver::DualSolver(const Graph& graph, double tolerance)
    : graph_(graph), layout_(graph), tolerance_(tolerance) {
  price_.resize(layout_.slots());
  copy_.resize(layout_.slots());
  u_.assign(graph.variables(), 0.5);
  fixed_.assign(graph.evidence.begin(), graph.evidence.end());
  stale_.assign(layout_.factors(), 1);
  share_.assign(layout_.factors(), 0.0);
  std::int32_t widest = 1;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) widest = std::max(widest, layout_.degree(f));
  input_.resize(widest);
  y_.resize(widest);
  workspace_.reserve(4 * static_cast<std::size_t>(widest));
  initialize_prices();
  measure_scores();
}

Rounder& DualSolver::rounder() {
  if (!rounder_) rounder_ = std::make_unique<Rounder>(graph_, layout_);
  return *rounder_;
}

void DualSolver::initialize_prices() {
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    if (fixed_[v] >= 0) u_[v] = fixed_[v];
    const auto [begin, end] = layout_.slots_of_variable(v);
    for (auto s = begin; s < end; ++s) {
      price_[s] = graph_.score[v] / (end - begin);
      copy_[s] = u_[v];
    }
  }
  settle_loose_variables();
}

void DualSolver::start_at(std::span<const double> consensus) {
  for (std::size_t v = 0; v < u_.size(); ++v)
    if (fixed_[v] < 0) u_[v] = consensus[v];
  for (std::int32_t s = 0; s < layout_.slots(); ++s) copy_[s] = u_[layout_.slot_variable[s]];
  settle_loose_variables();
  inputs_changed();
}

// A variable in no factor follows its score.
void DualSolver::settle_loose_variables() {
  for (std::int32_t v = 0; v < layout_.variables(); ++v)
    if (degree(v) == 0 && fixed_[v] < 0) u_[v] = graph_.score[v] > 0.0;
}

// Prices of a free variable must sum to its score; what is missing is spread evenly.
void DualSolver::restore_price_sums() {
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    if (fixed_[v] >= 0) continue;
    const auto [begin, end] = layout_.slots_of_variable(v);
    double missing = graph_.score[v];
    for (auto s = begin; s < end; ++s) missing -= price_[s];
    for (auto s = begin; s < end; ++s) price_[s] += missing / (end - begin);
  }
}

// The largest score and the mean size of prices and factors' own scores. What a user's factor hides is asked of its
// oracle.
void DualSolver::measure_scores() {
  double sum = 0.0;
  std::int64_t count = 0;
  auto see = [&](double mean) {
    if (mean > 0.0) sum += mean, ++count;
  };
  ScoreRange range;
  range.add(graph_.score);
  for (double price : price_) see(std::abs(price));
  for (const auto& group : layout_.groups)
    visit(group.kind, [&](auto factor) {
      for (auto f = group.first; f < group.last; ++f) {
        poll(4 + static_cast<std::int64_t>(layout_.view[f].data.size()));
        double total = 0.0, finite = 0.0, largest = 0.0;
        auto look = [&](double score) {
          if (score == -kInfinity) return;
          range.add(score);
          largest = std::max(largest, std::abs(score));
          total += std::abs(score), finite += 1.0;
        };
        if constexpr (factor.hides_scores) {
          std::ranges::fill(input_, 0.0);
          layout_.oracle[f]->maximize({input_.data(), layout_.view[f].literals.size()}, configuration_);
          look(configuration_.score);
        } else if constexpr (factor.data_are_scores) {
          std::ranges::for_each(layout_.view[f].data, look);
        }
        see(total / std::max(1.0, finite));
        own_size_ += std::min(total, largest * std::max(1, layout_.degree(f)));
      }
    });
  unit_ = range.unit();
  knows_scores_ = range.largest > 0.0 || graph_.oracles.empty();
  score_scale_ = count ? sum / static_cast<double>(count) : 1.0;
}

template <class Factor>
double DualSolver::bound_of(std::int32_t f) {
  const auto n = layout_.degree(f);
  layout_.gather_prices(f, price_, input_.data());
  double offset = 0.0;  // p x = -p (1 - x) + p: the constant of negated literals
  for (int i = 0; i < n; ++i)
    if (layout_.factor_negated[layout_.factor_begin[f] + i]) offset += input_[i];
  const double* p = input_.data();
  if constexpr (Factor::structured) {
    layout_.oracle[f]->maximize({p, static_cast<std::size_t>(n)}, configuration_);
    double best = configuration_.score;
    for (auto slot : configuration_.on) best += p[slot];
    return best - offset;
  } else {
    return graph::best_of<Factor>(layout_.view[f], p, n, y_.data(), workspace_.doubles.data()) - offset;
  }
}

double DualSolver::dual_bound() {
  for (const auto& group : layout_.groups)
    visit(group.kind, [&](auto factor) {
      layout_.for_each_block(group.first, group.last, [&](auto first, auto last) {
        for (auto f = first; f < last; ++f) {
          if (!stale_[f]) continue;
          share_[f] = bound_of<Solved<decltype(factor)>>(f);
          stale_[f] = 0;
        }
      });
    });
  poll(layout_.slots());
  Sum total;
  for (double share : share_) total.add(share);
  total.add(measure_drift());
  total.add(loose_value());
  return total.value();
}

// What prices miss of their variables' scores, as every update is rounded: some assignment may gain all of it. Measures
// the error as well: each price and each score of a factor enters a few sums, and each sum is rounded.
double DualSolver::measure_drift() {
  double most = 0.0, size = std::abs(offset_) + own_size_;
  for (const auto& variables : layout_.classes) {
    const double* price = &price_[variables.slot];
    for (auto k = variables.first; k < variables.last; ++k, price += variables.degree) {
      const auto v = layout_.by_degree[k];
      double missing = graph_.score[v], prices = 0.0;  // apart, so that variables do not wait for each other's sums
      for (std::int32_t i = 0; i < variables.degree; ++i) {
        missing -= price[i];
        prices += std::abs(price[i]);
      }
      size += prices;
      most += fixed_[v] < 0 ? std::max(0.0, missing) : 0.0;
    }
  }
  error_ = rounding_of(size);
  return most;
}

// Whether a factor has no configuration, whatever the prices are.
bool DualSolver::has_dead_factor() {
  std::vector<double> prices(layout_.slots(), 0.0), answers(layout_.slots());
  std::swap(prices, price_);
  const bool alive = answer_prices(answers);
  std::swap(prices, price_);
  return !alive;
}

// What no factor answers for: variables in no factor, and fixed ones, whose prices need not sum to their score.
double DualSolver::loose_value() const {
  double value = 0.0;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [begin, end] = layout_.slots_of_variable(v);
    if (fixed_[v] > 0) {
      value += graph_.score[v];
      for (auto s = begin; s < end; ++s) value -= price_[s];
    } else if (begin == end && fixed_[v] < 0) {
      value += std::max(0.0, graph_.score[v]);
    }
  }
  return value;
}

// Every factor's best configuration at the current prices, by slot; false when a factor has none.
bool DualSolver::answer_prices(std::vector<double>& answers) {
  bool alive = true;
  layout_.for_each_block(0, layout_.factors(), [&](auto first, auto last) {
    alive = alive && answer_prices(first, last, answers);
  });
  return alive;
}

bool DualSolver::answer_prices(std::int32_t first, std::int32_t last, std::vector<double>& answers) {
  for (auto f = first; f < last; ++f) {
    const auto n = layout_.degree(f);
    layout_.gather_prices(f, price_, input_.data());
    const std::span<const double> prices(input_.data(), n);
    const std::span<double> answer(y_.data(), n);
    if (layout_.oracle[f]) {
      layout_.oracle[f]->maximize(prices, configuration_);
      if (configuration_.score == -kInfinity) return false;
      std::ranges::fill(answer, 0.0);
      for (auto slot : configuration_.on) answer[slot] = 1.0;
    } else if (maximize(layout_.view[f], prices, answer, workspace_) == -kInfinity) {
      return false;
    }
    layout_.scatter(f, answer.data(), answers);
  }
  return true;
}

// The least any assignment can score; -inf where a user's factor does not tell.
double DualSolver::least_score() const {
  double least = 0.0;
  for (double score : graph_.score) least += std::min(0.0, score);
  for (const auto& view : layout_.view)
    least += visit(view.kind, [&](auto factor) { return factor.least_score(view); });
  return least;
}

// Whether the bound proves that there is no assignment: it is below the least that one can score, by more than both
// may be wrong.
bool DualSolver::is_below_all(double floor, const Outcome& best) const {
  return !is_lost() && std::isfinite(floor) && best.objective == -kInfinity &&
         best.bound < floor - slack(floor) - rounding_of(std::abs(floor)) - error_;
}

// The consensus rounded; thoroughly: also the factors' votes, and both polished.
void DualSolver::try_rounding(bool thoroughly, Outcome& best) {
  // Slots looked at: by the descent and the kicks relative to an iteration, and at most.
  constexpr std::int64_t kPolish = 10, kMostPolish = 20'000'000, kKicks = 10, kMostKicks = 100'000;
  const auto size = layout_.slots() + layout_.variables();
  auto round = [&](std::span<const double> u) {
    double objective = rounding_ ? rounding_(u, rounded_) : rounder().round(u, fixed_);
    if (thoroughly && !rounding_ && objective > -kInfinity)
      objective = rounder().polish(objective, fixed_, 1e-9 * unit_.least, std::min(kPolish * size, kMostPolish),
                                   std::min(kKicks * size, kMostKicks));
    if (objective <= best.objective) return;
    best.objective = best_objective_ = objective;
    const auto& values = rounding_ ? rounded_ : rounder().values();
    best.values.assign(values.begin(), values.end());
  };
  round(u_);
  if (thoroughly) round(votes());
}

// What is not proved is worth a search: for a share of the work that was done, or for the time that is left.
void DualSolver::search_on(const Limits& limits, const Stopwatch& watch, bool out_of_time, Outcome& best) {
  constexpr std::int64_t kLong = 300, kShare = 8, kUnlimited = std::int64_t{1} << 50;
  if (!out_of_time && best.iterations < kLong) return;  // to set it up would take too much of a short run
  const auto budget = out_of_time ? kUnlimited : work() * best.iterations / kShare;
  const auto found = search_(best.values, budget, [&] {
    return watch.seconds() < limits.seconds && (!limits.keep_going || limits.keep_going());
  });
  if (found.empty()) return;
  const double objective = rounder().adopt(found);
  if (objective <= best.objective) return;
  best.objective = best_objective_ = objective;
  best.values.assign(rounder().values().begin(), rounder().values().end());
  if (!best.trace.empty()) best.trace.back().objective = objective;
}

// The factors' votes at the current prices: where the relaxation is tight they agree on the optimum, often well
// before the consensus has settled.
std::vector<double> DualSolver::votes() {
  std::vector<double> answers(layout_.slots()), votes = u_;
  if (!answer_prices(answers)) return votes;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [begin, end] = layout_.slots_of_variable(v);
    if (begin == end) continue;
    votes[v] = 0.0;
    for (auto s = begin; s < end; ++s) votes[v] += answers[s] / (end - begin);
  }
  return votes;
}

Outcome DualSolver::run(const Limits& limits) {
  const Stopwatch watch;
  Outcome best;
  seen_bound_ = kInfinity, best_objective_ = -kInfinity;
  auto ending = Ending::Stopped;
  try {
    ending = run_until(limits, watch, best);
  } catch (const Stopped&) {  // in the middle of an iteration or of a rounding: what was known before it counts
  }
  if (ending == Ending::Infeasible) best.bound = best.objective = -kInfinity, best.values.clear();
  else if (best.bound == -kInfinity) best.bound = kInfinity;  // no proof
  best.seconds = watch.seconds();
  best.relaxed = u_;
  judge(best, slack(best.objective), ending == Ending::Solved, forgiven());
  return best;
}

DualSolver::Ending DualSolver::run_until(const Limits& limits, const Stopwatch& watch, Outcome& best) {
  constexpr std::int64_t kCheckEvery = 10;
  constexpr double kNearlyTight = 1e-3, kAgreed = 1e-2, kShare = 0.8;  // of the time; the rest is for the search
  constexpr double kLate = 0.4;  // after this share of the time the first answer is due
  const double seconds = search_ && polishes_ ? kShare * limits.seconds : limits.seconds;
  const double floor = least_score();
  std::int64_t next_rounding = 2 * kCheckEvery, patience = 0;
  bool converged = false, stopped = false, infeasible = false, tried = false;
  const auto lower = [&](double bound) { best.bound = std::min(best.bound, bound + error_); };
  lower(dual_bound());
  auto size = [&](double bound) { return std::max(std::abs(bound + offset_), unit_.least); };
  auto proved = [&] {
    return best.bound - best.objective <= std::max(limits.gap, slack(best.objective));
  };

  for (std::int64_t t = 1; t <= limits.iterations && !converged && !stopped; ++t) {
    ++iteration_;
    best.iterations = t;
    if (!iterate()) {
      infeasible = has_dead_factor();
      break;
    }
    converged = has_converged();
    const double now_at = watch.seconds();
    stopped = now_at > seconds || is_lost();
    const bool late = !tried && now_at > kLate * seconds;
    if (t % kCheckEvery != 0 && !converged && !stopped && !late && t < limits.iterations) continue;

    const double bound = dual_bound();
    lower(bound);
    best.bound = std::min(best.bound, seen_bound_);
    if (is_below_all(floor, best)) {
      infeasible = true;
      break;
    }
    // A gap is worth something only once the copies agree: disagreement costs nothing at prices of zero.
    const bool solved = primal_residual_ < kAgreed && relaxation_gap(bound) <= tolerance_ * size(bound);
    if (limits.keep_going) stopped = stopped || !limits.keep_going();
    const bool integral = primal_residual_ < 1e-3 && is_integral();
    const bool last = converged || solved || stopped || t == limits.iterations || best.bound <= cutoff_;
    if (integral || last || late || t >= next_rounding) {
      try_rounding(last && !integral && polishes_, best);
      next_rounding = rounding_ ? t : 2 * t;
      tried = true;
    }
    // The relaxation is solved. If the answer is almost as good, it may well be tight, and a little more
    // patience earns the certificate.
    if (solved && patience == 0) patience = best.bound - best.objective < kNearlyTight * size(best.bound) ? t + t / 3 : t;
    converged = converged || (solved && t >= patience);

    const Progress now{iteration_, watch.seconds(), best.objective, best.bound, primal_residual_, dual_residual_};
    if (limits.trace) best.trace.push_back(now);
    if (proved() || best.bound <= cutoff_) break;
    if (limits.report && t % limits.report_every < kCheckEvery) stopped = stopped || !limits.report(now);
  }
  if (search_ && polishes_ && !infeasible && best.iterations > 0 && !proved() && best.bound > cutoff_)
    search_on(limits, watch, watch.seconds() > seconds, best);
  return infeasible ? Ending::Infeasible : converged ? Ending::Solved : Ending::Stopped;
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

}  // namespace treaty::solve
