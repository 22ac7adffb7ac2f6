// One step of online learning: the difference of two structures' features, and how far to go along it.
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
  // Brings together what falls into the same bucket; returns the squared norm.
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

// The step of cost-augmented MIRA (Crammer et al. 2006, PA-I): the least that makes the gold structure win by its
// cost, and no more than `aggressiveness`. `violation` = cost + score of the answer - score of gold.
inline double mira_rate(double violation, double squared_norm, double aggressiveness) {
  if (violation <= 0.0 || squared_norm <= 0.0) return 0.0;
  return std::min(aggressiveness, violation / squared_norm);
}

}  // namespace treaty::learn
