// One step of online learning: the difference of two structures' features, and the step size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "features/weights.hpp"

namespace treaty::learn {

using features::Weights;

class Update {
 public:
  void clear() {
    entries_.clear();
    rate = 0.0f;
  }
  void add(std::uint32_t bucket, float count) { entries_.emplace_back(bucket, count); }
  void add(std::span<const std::uint32_t> buckets, float count) {
    for (auto bucket : buckets) entries_.emplace_back(bucket, count);
  }
  // Merges features of the same bucket; returns the squared norm.
  double merge() {
    std::ranges::sort(entries_, {}, &std::pair<std::uint32_t, float>::first);
    std::size_t kept = 0;
    double norm = 0.0;
    for (std::size_t i = 0; i < entries_.size();) {
      auto [bucket, total] = entries_[i];
      for (++i; i < entries_.size() && entries_[i].first == bucket; ++i) total += entries_[i].second;
      if (total == 0.0f) continue;
      entries_[kept++] = {bucket, total};
      norm += static_cast<double>(total) * total;
    }
    entries_.resize(kept);
    return norm;
  }
  void apply(Weights& weights) const {
    if (rate == 0.0f) return;
    if (weights.frozen()) throw std::invalid_argument("frozen weights cannot learn");
    weights.make();
    const auto once = weights.rate_of(1.0);
    for (const auto& [bucket, count] : entries_) {
      const float change = rate * count;
      weights.add(bucket, {&change, 1}, once);
    }
  }
  std::span<const std::pair<std::uint32_t, float>> entries() const { return entries_; }
  float rate = 0.0f;

 private:
  std::vector<std::pair<std::uint32_t, float>> entries_;
};

// The step size of cost-augmented MIRA (Crammer et al. 2006, PA-I): the smallest one with which the gold structure wins
// by the cost, at most `aggressiveness`. `violation` = cost + score of the answer - score of gold.
inline double mira_rate(double violation, double squared_norm, double aggressiveness) {
  if (violation <= 0.0 || squared_norm <= 0.0) return 0.0;
  return std::min(aggressiveness, violation / squared_norm);
}

// Sets the step size along the features of gold minus those of the answer: 1 for the perceptron, whose aggressiveness
// is zero; that of MIRA otherwise. `cost` is the cost of the answer.
template <class WeightAt>
void set_rate(Update& update, double cost, double aggressiveness, WeightAt weight_at) {
  update.rate = 1.0f;
  if (aggressiveness == 0.0) return;
  const double squared_norm = update.merge();
  double margin = 0.0;
  for (const auto& [bucket, count] : update.entries()) margin += static_cast<double>(count) * weight_at(bucket);
  update.rate = static_cast<float>(mira_rate(cost - margin, squared_norm, aggressiveness));
}

// Examples in flat arrays: the features of gold minus those of the answer, and the cost of the answer.
struct Differences {
  std::span<const std::int64_t> begin;
  std::span<const std::int32_t> places;
  std::span<const float> values;
  std::span<const double> cost;
};

// Makes the steps for answers that were all found with the current weights.
inline void learn_from(Weights& weights, const Differences& examples, double aggressiveness) {
  const auto& [begin, places, values, cost] = examples;
  if (begin.size() != cost.size() + 1 || begin.front() != 0 || places.size() != values.size() ||
      begin.back() != static_cast<std::int64_t>(places.size()) || !std::ranges::is_sorted(begin))
    throw std::invalid_argument("expected features and a cost for every example");
  if (!(aggressiveness >= 0.0)) throw std::invalid_argument("aggressiveness is not negative");
  for (auto place : places)
    if (place < 0 || static_cast<std::size_t>(place) >= weights.size())
      throw std::invalid_argument("a feature beyond the table of weights");
  std::vector<Update> updates(cost.size());
  for (std::size_t i = 0; i < updates.size(); ++i) {
    for (auto f = begin[i]; f < begin[i + 1]; ++f) updates[i].add(static_cast<std::uint32_t>(places[f]), values[f]);
    set_rate(updates[i], cost[i], aggressiveness, [&](auto bucket) { return weights[bucket]; });
  }
  for (const auto& update : updates) {
    update.apply(weights);
    weights.next_step();
  }
}

}  // namespace treaty::learn
