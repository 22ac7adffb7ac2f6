#include "solve/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treaty {

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
    if (group.kind != Kind::Arborescence && group.kind != Kind::Custom) continue;
    for (auto f = group.first; f < group.last; ++f) {
      const auto literals = layout_.view[f].literals;
      scores_.resize(literals.size());
      for (std::size_t i = 0; i < literals.size(); ++i)
        scores_[i] = (wish_[literals[i] >> 1] - 0.5) * ((literals[i] & 1) ? -1.0 : 1.0);
      layout_.oracle[f]->maximise(scores_, configuration_);
      if (configuration_.score == -kInfinity) continue;
      for (auto literal : literals) wish_[literal >> 1] = (literal & 1);
      for (auto slot : configuration_.on) wish_[literals[slot] >> 1] = !(literals[slot] & 1);
    }
  }
}

// Fixes the variables in order_; -1 when all went well, else the variable that neither value fits.
std::int32_t Rounder::dive() {
  for (auto v : order_) {
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

double Rounder::polish(double objective, std::span<const std::int8_t> fixed, double least, std::int64_t budget) {
  factor_value_.resize(layout_.factors());
  last_hit_.assign(layout_.factors(), -1);
  for (std::int32_t f = 0; f < layout_.factors(); ++f) factor_value_[f] = value_of(f);
  for (bool improved = true; improved && budget > 0;) {
    improved = false;
    for (std::int32_t v = 0; v < layout_.variables() && budget > 0; ++v) {
      flips_.assign(1, v);
      propagator_.rivals(2 * v + values_[v], values_, flips_);
      if (std::ranges::any_of(flips_, [&](auto w) { return fixed[w] >= 0; })) continue;
      const double gain = gain_of_flips();
      for (auto f : factors_hit_) budget -= layout_.degree(f);
      if (gain > least) {
        objective += gain;
        for (std::size_t i = 0; i < factors_hit_.size(); ++i) factor_value_[factors_hit_[i]] = new_value_[i];
        improved = true;
      } else {
        for (auto w : flips_) values_[w] ^= 1;
      }
    }
  }
  return objective_of_values();
}

// Flips and returns what that gains, -inf as soon as a factor forbids it.
double Rounder::gain_of_flips() {
  double gain = 0.0;
  factors_hit_.clear();
  new_value_.clear();
  ++moves_;
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
      new_value_.push_back(value_of(f));
      gain += new_value_.back() - factor_value_[f];
      if (gain == -kInfinity) return gain;
    }
  return gain;
}

}  // namespace treaty
