#include "solve/patterns/factor_slave.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace treaty::solve {

FactorSlave::FactorSlave(std::vector<std::int32_t> labels) : first_{0} {
  for (auto count : labels) first_.push_back(first_.back() + count);
  order_.resize(static_cast<std::size_t>(states()));
}

void FactorSlave::add(std::span<const std::int32_t> pattern, double weight) {
  patterns_.insert(patterns_.end(), pattern.begin(), pattern.end());
  weight_.push_back(weight);
}

// Whether the labels are a negative pattern.
bool FactorSlave::costs(std::span<const std::int32_t> label) const {
  for (std::size_t p = 0; p < weight_.size(); ++p)
    if (weight_[p] < 0.0 && std::ranges::equal(pattern(p), label)) return true;
  return false;
}

// Either a pattern, or the best labeling that is no negative one: what a positive pattern adds, the former counts.
double FactorSlave::solve(std::span<const double> score, std::span<std::int32_t> label) {
  double best = best_that_costs_nothing(score, label);
  for (std::size_t p = 0; p < weight_.size(); ++p) {
    double value = weight_[p];
    const auto labels = pattern(p);
    for (std::int32_t v = 0; v < vertices(); ++v) value += score[first_[v] + labels[v]];
    if (value <= best) continue;
    best = value;
    std::ranges::copy(labels, label.begin());
  }
  return best;
}

// Labelings in the order of their scores: nearly always the first will do.
double FactorSlave::best_that_costs_nothing(std::span<const double> score, std::span<std::int32_t> label) {
  double most = 0.0;
  for (std::int32_t v = 0; v < vertices(); ++v) {
    const auto own = score.subspan(first_[v], first_[v + 1] - first_[v]);
    label[v] = static_cast<std::int32_t>(std::ranges::max_element(own) - own.begin());
    most += own[label[v]];
  }
  if (!costs(label)) return most;
  for (std::int32_t v = 0; v < vertices(); ++v) {
    const auto own = std::span(order_).subspan(first_[v], first_[v + 1] - first_[v]);
    std::iota(own.begin(), own.end(), 0);
    std::ranges::stable_sort(own, std::ranges::greater{}, [&](auto a) { return score[first_[v] + a]; });
  }
  open_.assign(1, {most, 0, std::vector<std::int32_t>(label.size(), 0)});
  while (!open_.empty()) {
    std::ranges::pop_heap(open_, {}, &Ranks::score);
    const Ranks now = std::move(open_.back());
    open_.pop_back();
    for (std::int32_t v = 0; v < vertices(); ++v) label[v] = order_[first_[v] + now.rank[v]];
    if (!costs(label)) return now.score;
    for (auto v = now.last; v < vertices(); ++v) {
      const auto place = first_[v] + now.rank[v];
      if (place + 1 == first_[v + 1]) continue;
      Ranks next{now.score - score[first_[v] + order_[place]] + score[first_[v] + order_[place + 1]], v, now.rank};
      ++next.rank[v];
      open_.push_back(std::move(next));
      std::ranges::push_heap(open_, {}, &Ranks::score);
    }
  }
  return -std::numeric_limits<double>::infinity();
}

}  // namespace treaty::solve
