#include "solve/dual/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/factors.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::poll;

Rounder::Rounder(const Graph& graph, Layout& layout)
    : graph_(graph), layout_(layout), propagator_(graph), consistent_(propagator_.start()) {
  root_ = propagator_.trail().size();
  order_.resize(graph.variables());
  values_.resize(graph.variables());
}

double Rounder::round(std::span<const double> u, std::span<const std::int8_t> fixed) {
  if (!consistent_) return -kInfinity;
  wish_.assign(u.begin(), u.end());
  bool integral = true;
  for (std::size_t v = 0; v < u.size(); ++v) {
    if (fixed[v] >= 0) wish_[v] = fixed[v];
    values_[v] = wish_[v] > 0.5;
    integral = integral && std::abs(wish_[v] - values_[v]) < 1e-3;
  }
  // Near an integral point the nearest corner is usually allowed as it is.
  if (integral) {
    const double objective = objective_of_values();
    if (objective > -kInfinity) return objective;
  }
  prefer_whole_structures();
  for (std::size_t v = 0; v < u.size(); ++v)
    if (fixed[v] >= 0) wish_[v] = fixed[v] ? 2.0 : -1.0;  // first of all
  constexpr int kTries = 8;
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::greater<>(), [&](std::int32_t v) { return std::abs(wish_[v] - 0.5); });
  for (int i = 0; i < kTries; ++i) {
    const auto dead_end = dive();
    propagator_.undo(root_);
    if (dead_end < 0) return objective_of_values();
    const auto place = std::ranges::find(order_, dead_end);
    std::rotate(order_.begin(), place, place + 1);
  }
  return -kInfinity;
}

// Propagation knows little of trees and of users' factors: those take the configuration nearest to u whole.
void Rounder::prefer_whole_structures() {
  for (const auto& group : layout_.groups) {
    if (!visit(group.kind, [](auto factor) { return factor.rounded_whole; })) continue;
    for (auto f = group.first; f < group.last; ++f) {
      const auto literals = layout_.view[f].literals;
      poll(4 * static_cast<std::int64_t>(literals.size()));
      scores_.resize(literals.size());
      for (std::size_t i = 0; i < literals.size(); ++i)
        scores_[i] = (wish_[literals[i] >> 1] - 0.5) * ((literals[i] & 1) ? -1.0 : 1.0);
      layout_.oracle[f]->maximize(scores_, configuration_);
      if (configuration_.score == -kInfinity) continue;
      for (auto literal : literals) wish_[literal >> 1] = (literal & 1);
      for (auto slot : configuration_.on) wish_[literals[slot] >> 1] = !(literals[slot] & 1);
    }
  }
}

// Fixes the variables in order_; -1 when all went well, else the variable that neither value fits.
std::int32_t Rounder::dive() {
  for (auto v : order_) {
    poll(8);
    if (propagator_.value(v) >= 0) continue;
    // A variable nobody has an opinion on follows its own score.
    const bool wish = wish_[v] == 0.5 ? graph_.score[v] > 0.0 : wish_[v] > 0.5;
    const auto before = propagator_.trail().size();
    if (propagator_.fix(v, wish)) continue;
    propagator_.undo(before);
    if (!propagator_.fix(v, !wish)) return v;
  }
  for (std::size_t v = 0; v < values_.size(); ++v)
    values_[v] = propagator_.value(static_cast<std::int32_t>(v));
  return -1;
}

double Rounder::adopt(std::span<const double> values) {
  for (std::size_t v = 0; v < values_.size(); ++v) values_[v] = values[v] > 0.5;
  return objective_of_values();
}

double Rounder::objective_of_values() {
  double total = 0.0;
  for (std::size_t v = 0; v < values_.size(); ++v)
    if (values_[v]) total += graph_.score[v];
  for (std::int32_t f = 0; f < layout_.factors() && total > -kInfinity; ++f) total += value_of(f);
  return total;
}

// A factor's own score at values_, -inf where it forbids them.
double Rounder::value_of(std::int32_t f) {
  const auto& factor = layout_.view[f];
  auto on = [&](std::int32_t literal) { return values_[literal >> 1] ^ (literal & 1); };
  if (layout_.oracle[f]) {
    configuration_.on.clear();
    for (int i = 0; i < factor.degree(); ++i)
      if (on(factor.literals[i])) configuration_.on.push_back(i);
    return layout_.oracle[f]->evaluate(configuration_.on);
  }
  slots_.resize(factor.literals.size());
  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i] = static_cast<std::int8_t>(on(factor.literals[i]));
  return evaluate(factor, slots_);
}

double Rounder::polish(double objective, std::span<const std::int8_t> fixed, double least, std::int64_t budget,
                       std::int64_t kicks) {
  factor_value_.resize(layout_.factors());
  last_hit_.assign(layout_.factors(), -1);
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    poll(16 + layout_.degree(f));
    factor_value_[f] = value_of(f);
  }
  queue_.clear();
  queued_.assign(layout_.variables(), 0);
  random_.seed(1);
  for (auto v = layout_.variables(); v-- > 0;) enqueue(v);
  objective += descend(fixed, least, budget);
  while (kicks > 0) {
    journal_.clear();
    double gain = kick(fixed, kicks);
    if (journal_.empty()) continue;
    gain += descend(fixed, least, kicks);
    if (gain > least)
      objective += gain;
    else
      revert();
  }
  return objective_of_values();
}

void Rounder::enqueue(std::int32_t v) {
  if (queued_[v]) return;
  queued_[v] = 1;
  queue_.push_back(v);
}

// Flips what gains, and looks again at the neighbors of what was flipped, until nothing is left to look at.
double Rounder::descend(std::span<const std::int8_t> fixed, double least, std::int64_t& budget) {
  double total = 0.0;
  while (!queue_.empty()) {
    const auto v = queue_.back();
    queue_.pop_back();
    queued_[v] = 0;
    poll(32);
    --budget;
    if (budget < 0 || !find_flips(v, fixed)) continue;
    const double gain = gain_of_flips();
    for (auto f : factors_hit_) budget -= layout_.degree(f);
    if (gain > least) {
      total += gain;
      accept_flips();
    } else {
      for (auto w : flips_) values_[w] ^= 1;
    }
  }
  return total;
}

// Flips a small connected cluster, whatever it costs, as long as every factor allows it.
double Rounder::kick(std::span<const std::int8_t> fixed, std::int64_t& budget) {
  constexpr int kCluster = 4;
  double total = 0.0;
  auto v = static_cast<std::int32_t>(random_() % layout_.variables());
  for (int i = 0; i < kCluster; ++i) {
    --budget;
    if (find_flips(v, fixed)) {
      const double gain = gain_of_flips();
      for (auto f : factors_hit_) budget -= layout_.degree(f);
      if (gain > -kInfinity) {
        total += gain;
        accept_flips();
      } else {
        for (auto w : flips_) values_[w] ^= 1;
      }
    }
    const auto [begin, end] = layout_.slots_of_variable(v);
    if (begin == end) break;
    const auto& literals = layout_.view[layout_.slot_factor[begin + random_() % (end - begin)]].literals;
    v = literals[random_() % literals.size()] >> 1;
  }
  return total;
}

void Rounder::revert() {
  ++moves_;
  for (auto v : journal_) values_[v] ^= 1;
  for (auto v : journal_)
    for (auto [s, end] = layout_.slots_of_variable(v); s < end; ++s) {
      const auto f = layout_.slot_factor[s];
      if (last_hit_[f] == moves_) continue;
      last_hit_[f] = moves_;
      factor_value_[f] = value_of(f);
    }
}

// The variable and its rivals; false when one of them is fixed.
bool Rounder::find_flips(std::int32_t v, std::span<const std::int8_t> fixed) {
  flips_.assign(1, v);
  propagator_.rivals(2 * v + values_[v], values_, flips_);
  return std::ranges::none_of(flips_, [&](auto w) { return fixed[w] >= 0; });
}

void Rounder::accept_flips() {
  for (std::size_t i = 0; i < factors_hit_.size(); ++i) {
    factor_value_[factors_hit_[i]] = new_value_[i];
    const auto& literals = layout_.view[factors_hit_[i]].literals;
    constexpr std::size_t kNarrow = 32;  // the neighbors in a wide factor are too many to look at
    if (literals.size() <= kNarrow)
      for (auto literal : literals) enqueue(literal >> 1);
  }
  journal_.insert(journal_.end(), flips_.begin(), flips_.end());
}

// Flips and returns what that gains, -inf as soon as a factor forbids it.
double Rounder::gain_of_flips() {
  double gain = 0.0;
  factors_hit_.clear();
  new_value_.clear();
  ++moves_;
  poll(16);
  for (auto w : flips_) {
    values_[w] ^= 1;
    gain += values_[w] ? graph_.score[w] : -graph_.score[w];
  }
  for (auto w : flips_)
    for (auto [s, end] = layout_.slots_of_variable(w); s < end; ++s) {
      const auto f = layout_.slot_factor[s];
      if (last_hit_[f] == moves_) continue;
      last_hit_[f] = moves_;
      factors_hit_.push_back(f);
      poll(8 + layout_.degree(f));
      new_value_.push_back(value_of(f));
      gain += new_value_.back() - factor_value_[f];
      if (gain == -kInfinity) return gain;
    }
  return gain;
}

}  // namespace treaty::solve
