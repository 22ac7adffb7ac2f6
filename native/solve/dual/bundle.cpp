#include "solve/dual/bundle.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treaty::solve {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

Bundle::Bundle(std::vector<double> start, std::size_t most_cuts)
    : most_cuts_(most_cuts), center_(std::move(start)), point_(center_), direction_(center_.size()) {
  cuts_.resize(most_cuts_ * center_.size());
  gram_.resize(most_cuts_ * most_cuts_);
}

void Bundle::tell(double value, std::span<const double> subgradient) {
  constexpr double kSerious = 0.1;  // of the promised decrease makes a serious step
  if (!started_) {
    started_ = true;
    value_ = value;
    const double norm = dot(subgradient, subgradient), size = 1.0 + std::abs(value);
    const double hope = std::isfinite(target_) ? value - target_ : 0.1 * size;
    step_ = norm > 0.0 ? std::max(hope, 1e-9 * size) / norm : 1.0;
    add_cut(subgradient, 0.0);
    return next_point();
  }
  const double gained = value_ - value;
  // direction_ = point - center: the new cut seen from the center.
  const double error = gained + dot(subgradient, direction_);
  make_room();
  if (gained >= kSerious * promise_) {
    const bool better_than_promised = gained >= 0.5 * promise_;
    move_center(value);
    add_cut(subgradient, 0.0);
    null_in_a_row_ = 0;
    if (better_than_promised && ++serious_in_a_row_ > 1) step_ *= 2.0;
  } else {
    add_cut(subgradient, std::max(0.0, error));
    serious_in_a_row_ = 0;
    if (++null_in_a_row_ >= 8 && error > promise_) {
      step_ *= 0.6;
      null_in_a_row_ = 0;
    }
  }
  next_point();
}

void Bundle::add_cut(std::span<const double> subgradient, double error) {
  const auto n = error_.size();
  std::ranges::copy(subgradient, cut(n).begin());
  error_.push_back(error);
  weight_.push_back(n == 0 ? 1.0 : 0.0);
  for (std::size_t i = 0; i <= n; ++i)
    gram_[i * most_cuts_ + n] = gram_[n * most_cuts_ + i] = dot(cut(i), subgradient);
}

// Cuts that the model's minimizer does not lean on go; if it leans on all, the two least are merged, which keeps
// the minimizer where it is.
void Bundle::make_room() {
  const auto n = error_.size();
  if (n < most_cuts_) return;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return weight_[i]; });
  const auto drop = order[0], keep = order[1];
  if (weight_[drop] > 0.0) {
    const double total = weight_[drop] + weight_[keep], share = weight_[drop] / total;
    for (std::size_t k = 0; k < center_.size(); ++k) cut(keep)[k] += share * (cut(drop)[k] - cut(keep)[k]);
    error_[keep] += share * (error_[drop] - error_[keep]);
    weight_[keep] = total;
    for (std::size_t i = 0; i < n; ++i)
      gram_[i * most_cuts_ + keep] = gram_[keep * most_cuts_ + i] = dot(cut(i), cut(keep));
  }
  const auto last = n - 1;
  if (drop != last) {
    std::ranges::copy(cut(last), cut(drop).begin());
    error_[drop] = error_[last];
    weight_[drop] = weight_[last];
    for (std::size_t i = 0; i < n; ++i)
      gram_[i * most_cuts_ + drop] = gram_[drop * most_cuts_ + i] = gram_[last * most_cuts_ + (i == drop ? last : i)];
    gram_[drop * most_cuts_ + drop] = dot(cut(drop), cut(drop));
  }
  error_.pop_back();
  weight_.pop_back();
}

void Bundle::move_center(double value) {
  for (std::size_t i = 0; i < error_.size(); ++i)
    error_[i] = std::max(0.0, error_[i] + value - value_ - dot(cut(i), direction_));
  center_ = point_;
  value_ = value;
}

// The dual of the quadratic program: weights on the simplex that minimize step/2 |sum w g|^2 + sum w e, by moving
// weight from the worst cut in use to the best one.
void Bundle::weigh_cuts() {
  const auto n = error_.size();
  constexpr int kMost = 1000;
  slope_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    slope_[i] = error_[i];
    for (std::size_t j = 0; j < n; ++j) slope_[i] += step_ * gram_[i * most_cuts_ + j] * weight_[j];
  }
  for (int round = 0; round < kMost; ++round) {
    std::size_t best = 0, worst = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (slope_[i] < slope_[best]) best = i;
      if (weight_[i] > 0.0 && (worst == n || slope_[i] > slope_[worst])) worst = i;
    }
    const double excess = slope_[worst] - slope_[best];
    if (excess <= 1e-9 * (1.0 + std::abs(slope_[best]))) break;
    const auto g = [&](std::size_t i, std::size_t j) { return gram_[i * most_cuts_ + j]; };
    const double curvature = step_ * (g(best, best) + g(worst, worst) - 2.0 * g(best, worst));
    const double moved = curvature > 0.0 ? std::min(weight_[worst], excess / curvature) : weight_[worst];
    weight_[best] += moved;
    weight_[worst] = moved == weight_[worst] ? 0.0 : weight_[worst] - moved;
    for (std::size_t i = 0; i < n; ++i) slope_[i] += step_ * moved * (g(i, best) - g(i, worst));
  }
}

void Bundle::next_point() {
  weigh_cuts();
  std::ranges::fill(direction_, 0.0);
  double error = 0.0;
  for (std::size_t i = 0; i < error_.size(); ++i) {
    if (weight_[i] == 0.0) continue;
    error += weight_[i] * error_[i];
    const auto g = cut(i);
    for (std::size_t k = 0; k < direction_.size(); ++k) direction_[k] += weight_[i] * g[k];
  }
  promise_ = step_ * dot(direction_, direction_) + error;
  for (std::size_t k = 0; k < direction_.size(); ++k) {
    direction_[k] *= -step_;
    point_[k] = center_[k] + direction_[k];
  }
}

}  // namespace treaty::solve
