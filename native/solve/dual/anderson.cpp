#include "solve/dual/anderson.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace treaty::solve {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void Anderson::reset() {
  count_ = next_ = 0;
  last_residual_.clear();
  extrapolated_ = false;
}

void Anderson::step(const std::vector<double>& x, std::vector<double>& gx) {
  constexpr double kGrowth = 4.0;  // of the squared residual, that an extrapolation may cause
  residual_.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) residual_[i] = gx[i] - x[i];
  const double norm = dot(residual_, residual_);
  if (extrapolated_ && !(norm <= kGrowth * plain_norm_)) {
    gx = plain_;
    reset();
    return;
  }
  if (!last_residual_.empty()) remember(residual_, gx);
  last_residual_ = residual_;
  last_image_ = gx;
  extrapolated_ = count_ > 0 && norm > 0.0;
  if (!extrapolated_) return;
  plain_ = gx;
  plain_norm_ = norm;
  extrapolate(residual_, gx);
}

void Anderson::remember(const std::vector<double>& residual, const std::vector<double>& gx) {
  auto& dr = residual_steps_[next_];
  auto& dg = image_steps_[next_];
  dr.resize(gx.size());
  dg.resize(gx.size());
  for (std::size_t i = 0; i < gx.size(); ++i) {
    dr[i] = residual[i] - last_residual_[i];
    dg[i] = gx[i] - last_image_[i];
  }
  count_ = std::min(count_ + 1, kMemory);
  for (std::size_t j = 0; j < count_; ++j) gram_[next_][j] = gram_[j][next_] = dot(dr, residual_steps_[j]);
  next_ = (next_ + 1) % kMemory;
}

// gx <- gx - dG gamma, where gamma minimizes |r - dR gamma|; the normal equations are a little regularized.
void Anderson::extrapolate(const std::vector<double>& residual, std::vector<double>& gx) {
  std::array<std::array<double, kMemory>, kMemory> a;
  std::array<double, kMemory> gamma;
  double trace = 0.0;
  for (std::size_t i = 0; i < count_; ++i) trace += gram_[i][i];
  for (std::size_t i = 0; i < count_; ++i) {
    std::copy_n(gram_[i], count_, a[i].begin());
    a[i][i] += 1e-10 * trace;
    gamma[i] = dot(residual_steps_[i], residual);
  }
  for (std::size_t i = 0; i < count_; ++i)  // elimination without pivoting is safe: regularized and tiny
    for (std::size_t k = i + 1; k < count_; ++k) {
      const double factor = a[k][i] / a[i][i];
      for (std::size_t j = i; j < count_; ++j) a[k][j] -= factor * a[i][j];
      gamma[k] -= factor * gamma[i];
    }
  for (std::size_t i = count_; i-- > 0;) {
    for (std::size_t j = i + 1; j < count_; ++j) gamma[i] -= a[i][j] * gamma[j];
    gamma[i] /= a[i][i];
    if (!std::isfinite(gamma[i])) return;
  }
  for (std::size_t j = 0; j < count_; ++j) {
    const auto& step = image_steps_[j];
    for (std::size_t i = 0; i < gx.size(); ++i) gx[i] -= gamma[j] * step[i];
  }
}

}  // namespace treaty::solve
