#include "graph/active_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace treaty::graph {
namespace {

// K has small integer entries, so the squared pivot of a dependent configuration is rounding noise
// while an independent one leaves it well above this.
constexpr double kDependent = 1e-9;
// Relative to the size of the scores: an oracle's answer must beat the hull by more than rounding noise.
constexpr double kImproves = 1e-12;

std::size_t row(std::size_t k) { return k * (k + 1) / 2; }

}  // namespace

std::span<const std::int32_t> ActiveSet::on(std::size_t k) const {
  return std::span(slots_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
}

double ActiveSet::overlap(std::size_t k, std::span<const std::int32_t> other) const {
  const auto mine = on(k);
  int shared = 0;
  std::size_t i = 0, j = 0;
  while (i < mine.size() && j < other.size()) {
    const auto x = mine[i], y = other[j];
    shared += x == y;
    i += x <= y;
    j += y <= x;
  }
  return shared;
}

bool ActiveSet::contains(const Configuration& c) const {
  for (std::size_t k = 0; k < size(); ++k)
    if (std::ranges::equal(on(k), c.on)) return true;
  return false;
}

void ActiveSet::clear() {
  slots_.clear();
  begin_.assign(1, 0);
  own_.clear();
  weight_.clear();
  factor_.clear();
  inverse_ones_.clear();
}

void ActiveSet::refresh(Oracle& oracle) {
  for (std::size_t k = 0; k < size(); ++k) {
    own_[k] = oracle.evaluate(on(k));
    if (own_[k] == -kInfinity) return clear();
  }
}

void ActiveSet::mean(std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  for (std::size_t k = 0; k < size(); ++k)
    for (auto slot : on(k)) z[slot] += weight_[k];
}

double ActiveSet::own_score() const {
  double total = 0.0;
  for (std::size_t k = 0; k < size(); ++k)
    if (own_[k] != 0.0) total += weight_[k] * own_[k];
  return total;
}

void ActiveSet::solve(std::vector<double>& x) const {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    const double* l = &factor_[row(i)];
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= l[j] * x[j];
    x[i] = sum / l[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    const double* l = &factor_[row(i)];
    x[i] /= l[i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= l[j] * x[i];
  }
}

// Returns false if `c` is affinely dependent on the rest; then only workspace.direction = L^-1 k has changed.
bool ActiveSet::append(const Configuration& c, double weight, ActiveSetWorkspace& workspace) {
  const std::size_t n = size();
  auto& l = workspace.direction;
  l.resize(n + 1);
  double pivot = static_cast<double>(c.on.size()) + 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = overlap(i, c.on) + 1.0;
    const double* li = &factor_[row(i)];
    for (std::size_t j = 0; j < i; ++j) sum -= li[j] * l[j];
    l[i] = sum / li[i];
    pivot -= l[i] * l[i];
  }
  if (pivot < kDependent) return false;
  l[n] = std::sqrt(pivot);
  factor_.insert(factor_.end(), l.begin(), l.end());
  slots_.insert(slots_.end(), c.on.begin(), c.on.end());
  begin_.push_back(static_cast<std::int32_t>(slots_.size()));
  own_.push_back(c.score);
  weight_.push_back(weight);
  inverse_ones_.clear();
  return true;
}

// `c` = sum_k coefficient_k y_k with coefficients that sum to one: moving weight from the y_k to c does not change the
// quadratic term. It is moved until the first weight is zero.
void ActiveSet::exchange(const Configuration& c, ActiveSetWorkspace& workspace) {
  const std::size_t n = size();
  auto& coefficient = workspace.direction;  // holds L^-1 k after append() returned false
  for (std::size_t i = n; i-- > 0;) {
    const double* l = &factor_[row(i)];
    coefficient[i] /= l[i];
    for (std::size_t j = 0; j < i; ++j) coefficient[j] -= l[j] * coefficient[i];
  }
  std::size_t blocking = n;
  double step = kInfinity;
  for (std::size_t k = 0; k < n; ++k)
    if (coefficient[k] > kDependent && weight_[k] < step * coefficient[k]) {
      step = weight_[k] / coefficient[k];
      blocking = k;
    }
  if (blocking == n) return;
  for (std::size_t k = 0; k < n; ++k) weight_[k] = std::max(0.0, weight_[k] - step * coefficient[k]);
  remove(blocking);
  if (!append(c, step, workspace)) {  // only because of rounding: restart from c alone
    clear();
    append(c, 1.0, workspace);
  }
}

void ActiveSet::remove(std::size_t k) {
  const std::size_t n = size();
  // Rows below k lose a column and are brought back to triangular form by Givens rotations.
  for (std::size_t i = k + 1; i < n; ++i) {
    double* li = &factor_[row(i)];
    // Column pair (i - 1, i) of the shifted rows: rotate so that the entry right of the diagonal vanishes.
    const double x = li[i - 1], y = li[i];
    const double r = std::sqrt(x * x + y * y);
    const double cos = x / r, sin = y / r;
    for (std::size_t m = i; m < n; ++m) {
      double* lm = &factor_[row(m)];
      const double p = lm[i - 1], q = lm[i];
      lm[i - 1] = cos * p + sin * q;
      lm[i] = cos * q - sin * p;
    }
    std::copy(li, li + i, &factor_[row(i - 1)]);
  }
  factor_.resize(row(n - 1));
  inverse_ones_.clear();
  const auto from = slots_.begin() + begin_[k], to = slots_.begin() + begin_[k + 1];
  const auto gone = begin_[k + 1] - begin_[k];
  slots_.erase(from, to);
  begin_.erase(begin_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  for (std::size_t i = k + 1; i < begin_.size(); ++i) begin_[i] -= gone;
  own_.erase(own_.begin() + static_cast<std::ptrdiff_t>(k));
  weight_.erase(weight_.begin() + static_cast<std::ptrdiff_t>(k));
}

// Moves the weights to the best point of the affine hull, or as far towards it as they stay nonnegative. Returns true
// if that point was reached; otherwise one configuration was dropped.
bool ActiveSet::minimize_on_hull(std::span<const double> a, double step, ActiveSetWorkspace& workspace) {
  const std::size_t n = size();
  if (n == 1) {
    weight_[0] = 1.0;
    return true;
  }
  auto& target = workspace.rhs;
  auto& ones = inverse_ones_;
  target.resize(n);
  if (ones.empty()) {
    ones.assign(n, 1.0);
    solve(ones);
  }
  // Scores are taken relative to the first configuration: a common constant does not change the weights, and the solve
  // loses no digits if scores are huge.
  double base = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    double b = own_[k] * step;
    for (auto slot : on(k)) b += a[slot];
    if (k == 0) base = b;
    target[k] = b - base;
  }
  solve(target);
  double sum_target = 0.0, sum_ones = 0.0;
  for (std::size_t k = 0; k < n; ++k) sum_target += target[k], sum_ones += ones[k];
  const double tau = (sum_target - 1.0) / sum_ones;

  std::size_t blocking = n;
  double length = 1.0;
  for (std::size_t k = 0; k < n; ++k) {
    target[k] -= tau * ones[k];
    if (target[k] < 0.0 && weight_[k] < length * (weight_[k] - target[k])) {
      length = weight_[k] / (weight_[k] - target[k]);
      blocking = k;
    }
  }
  if (blocking == n) {
    // A target below zero by less than a rounding error of its weight blocks nothing. A negative weight must not
    // remain: the next step would be as long as its quotient with nothing.
    for (std::size_t k = 0; k < n; ++k) weight_[k] = std::max(0.0, target[k]);
    return true;
  }
  for (std::size_t k = 0; k < n; ++k)
    weight_[k] = std::max(0.0, weight_[k] + length * (target[k] - weight_[k]));
  remove(blocking);
  return false;
}

bool ActiveSet::project(std::span<const double> a, double step, Oracle& oracle, std::span<double> z,
                        ActiveSetWorkspace& workspace, std::size_t rounds) {
  auto& scores = workspace.scores;
  auto& candidate = workspace.candidate;
  scores.resize(a.size());
  if (size() == 0) {
    for (std::size_t s = 0; s < a.size(); ++s) scores[s] = a[s] / step;
    oracle.maximize(scores, candidate);
    if (candidate.score == -kInfinity) return false;
    append(candidate, 1.0, workspace);
  }
  // Each round adds or drops a configuration. The method is finite; the limit is needed only because of rounding.
  rounds = std::min(rounds, 50 + 20 * a.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    if (!minimize_on_hull(a, step, workspace)) continue;
    mean(z);
    for (std::size_t s = 0; s < a.size(); ++s) scores[s] = (a[s] - z[s]) / step;
    oracle.maximize(scores, candidate);
    if (candidate.score == -kInfinity) return false;

    // All active configurations have the same value at the optimum of the hull; taking the largest guards against
    // rounding.
    auto value = [&](std::span<const std::int32_t> slots, double own) {
      for (auto slot : slots) own += scores[slot];
      return own;
    };
    const double found = value(candidate.on, candidate.score);
    double active = -kInfinity, size_of = std::abs(candidate.score);
    for (std::size_t k = 0; k < size(); ++k) active = std::max(active, value(on(k), own_[k]));
    for (auto slot : candidate.on) size_of += std::abs(scores[slot]);
    if (found <= active + kImproves * (1.0 / step + size_of)) return true;
    if (!append(candidate, 0.0, workspace)) {
      if (contains(candidate)) return true;
      exchange(candidate, workspace);
    }
  }
  mean(z);
  return true;
}

void ActiveSet::prepare() {
  if (!inverse_ones_.empty() || size() == 0) return;
  inverse_ones_.assign(size(), 1.0);
  solve(inverse_ones_);
}

void ActiveSet::move(std::span<const double> x, std::vector<double>& rate, std::span<double> moved) const {
  const std::size_t n = size();
  std::ranges::fill(moved, 0.0);
  rate.assign(n, 0.0);
  if (n < 2) return;
  double base = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    for (auto slot : on(k)) rate[k] += x[slot];
    if (k == 0) base = rate[k];
    rate[k] -= base;
  }
  solve(rate);
  double sum = 0.0, ones = 0.0;
  for (std::size_t k = 0; k < n; ++k) sum += rate[k], ones += inverse_ones_[k];
  for (std::size_t k = 0; k < n; ++k) {
    rate[k] -= sum / ones * inverse_ones_[k];
    for (auto slot : on(k)) moved[slot] += rate[k];
  }
}

void ActiveSet::span_face(std::span<const double> price, double slack, Oracle& oracle,
                          ActiveSetWorkspace& workspace) {
  auto& scores = workspace.scores;
  auto& candidate = workspace.candidate;
  const auto value = [&](std::span<const std::int32_t> slots, double own) {
    for (auto slot : slots) own += price[slot];
    return own;
  };
  double best = -kInfinity, unit = slack;
  for (std::size_t k = 0; k < size(); ++k) best = std::max(best, value(on(k), own_[k]));
  for (double p : price) unit = std::max(unit, std::abs(p));
  std::vector<double> direction(price.size()), moved(price.size()), rate;
  scores.resize(price.size());
  std::uint64_t state = 1;
  const auto extend = [&](double push) {  // 1: added; 0: nothing new; -1: pushed off the face
    for (std::size_t s = 0; s < scores.size(); ++s) scores[s] = price[s] + push * (direction[s] - moved[s]);
    oracle.maximize(scores, candidate);
    if (candidate.score == -kInfinity || contains(candidate)) return 0;
    if (value(candidate.on, candidate.score) < best - slack) return -1;
    return append(candidate, 0.0, workspace) ? 1 : 0;
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (auto& d : direction) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      d = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
    for (const double sign : {1.0, -1.0}) {
      prepare();
      move(direction, rate, moved);
      int found = -1;
      for (double push = 1e-4; found < 0 && push > 1e-11; push *= 1e-3) found = extend(sign * push * unit);
      grown = grown || found > 0;
    }
  }
  prepare();
}

}  // namespace treaty::graph
