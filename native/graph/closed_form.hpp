// Code shared by factors with a closed form: thresholds, the projection onto the simplex, the simplest maximizers.
//
// Projections follow the appendix of Martins, Smith, Aguiar & Figueiredo (2011), with sorting replaced by
// the linear-time search of Michelot (1986) and Condat (2016). They work in place, never allocate, end for
// any doubles, and leave every entry in [0, 1]. Maximizers write 0 and 1; ties go to off, then to the first.
#pragma once

#include <algorithm>
#include <cmath>

#include "graph/traits.hpp"

namespace treaty::graph {

struct ClosedForm : Factor {
 protected:
  static std::int32_t count_on(std::span<const std::int8_t> y) {
    return static_cast<std::int32_t>(std::ranges::count_if(y, [](std::int8_t v) { return v != 0; }));
  }
  static double allowed_if(bool allowed) { return allowed ? 0.0 : -kInfinity; }
};

// The value of the best configuration, which is all that a dual bound needs; y and scratch may be overwritten.
template <class Factor>
double best_of(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
  if constexpr (requires { Factor::best(factor, score, n); }) return Factor::best(factor, score, n);
  else return Factor::maximize(factor, score, n, y, scratch);
}

// [t]_U of the papers. NaN becomes 0, so that kernels return only numbers in [0, 1]. Both comparisons are with t
// itself: a chain of max and min would be compiled to a branch, which is hard to predict.
inline double clip(double t) {
  const double capped = t < 1.0 ? t : 1.0;
  return t > 0.0 ? capped : 0.0;
}

inline void clip_all(double* z, int n) {
  for (int i = 0; i < n; ++i) z[i] = clip(z[i]);
}

inline double sum_of_clipped(const double* z, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += clip(z[i]);
  return sum;
}

inline double largest(const double* a, int n) {
  double top = a[0];
  for (int i = 1; i < n; ++i) top = std::max(top, a[i]);
  return top;
}

// The tau at which the part of `a` above it, sum_i (a_i - tau)_+, equals a given volume. It is kept relative to the
// largest entry: only entries within `volume` of that one matter, so there is no loss of digits for large entries.
struct Threshold {
  double top, tau;
  double above(double x) const { return (x - top) - tau; }
};

// The candidates kept[0..count), relative to the top, hold everything above tau. Any set S gives a lower
// bound (sum S - volume) / |S| on tau, so entries at or below it go, until none does (Michelot 1986).
inline double shrink_to_threshold(double* kept, int count, double sum, double volume) {
  double tau = -volume;
  for (int before = 0; count != before && count > 0;) {
    tau = (sum - volume) / count;
    before = count;
    count = 0;
    sum = 0.0;
    for (int i = 0; i < before; ++i) {  // no branch: which entries stay is hard to predict
      const double b = kept[i];
      kept[count] = b;
      count += b > tau;
      sum += b > tau ? b : 0.0;
    }
  }
  return tau;
}

inline Threshold find_threshold(const double* a, int n, double volume, double* scratch) {
  const double top = largest(a, n);
  // tau is the largest of the bounds (sum S - volume) / |S|; for few entries, compare them all.
  if (n == 1) return {top, -volume};
  if (n == 2) return {top, std::max(-volume, 0.5 * (std::min(a[0], a[1]) - top - volume))};
  if (n == 3) {
    const double low = std::min(std::min(a[0], a[1]), a[2]) - top;
    const double middle = std::max(std::min(a[0], a[1]), std::min(std::max(a[0], a[1]), a[2])) - top;
    return {top, std::max(std::max(-volume, (middle - volume) * 0.5), (middle + low - volume) / 3.0)};
  }
  // Condat's pass: raise the bound already while collecting the candidates.
  int count = 0;
  double sum = 0.0, bound = -volume;
  for (int i = 0; i < n; ++i) {
    const double b = a[i] - top;
    if (!(b > bound)) continue;
    scratch[count++] = b;
    sum += b;
    bound = std::max(bound, (sum - volume) / count);
  }
  return {top, shrink_to_threshold(scratch, count, sum, volume)};
}

// Onto the simplex (Martins et al. 2011, Algorithm 2).
inline void project_onto_simplex(double* z, int n, double* scratch) {
  if (n == 2) {
    const double half = 0.5 * (z[0] - z[1]);
    z[0] = clip(0.5 + half);
    z[1] = clip(0.5 - half);
    return;
  }
  const Threshold threshold = find_threshold(z, n, 1.0, scratch);
  for (int i = 0; i < n; ++i) z[i] = clip(threshold.above(z[i]));
}

// The face of a polytope in which a projection lies, as the Jacobian of the projection: J = diag(free) + sign d d' with a
// unit vector d (or 0). That is the orthogonal projection onto the directions of the face, so J is symmetric with
// eigenvalues 0 and 1. Where the projection has a kink, it is the Jacobian on one side: an entry at a bound does not
// move. `slope` is the gradient of the factor's own score per unit of its datum, along the face.
struct Face {
  double *free, *direction, *slope;
  double sign = 0.0;
};

// Closer to a bound than this, an entry is at it.
inline constexpr double kAtBound = 1e-12;
inline bool is_inside(double z) { return z > kAtBound && z < 1.0 - kAtBound; }

inline void face_of_box(const double* z, int n, Face& face) {
  for (int i = 0; i < n; ++i) face.free[i] = is_inside(z[i]) ? 1.0 : 0.0;
}

inline void scale_direction(int n, Face& face, double sign) {
  double square = 0.0;
  for (int i = 0; i < n; ++i) square += face.direction[i] * face.direction[i];
  if (!(square > 0.0)) return;
  const double inverse = 1.0 / std::sqrt(square);
  for (int i = 0; i < n; ++i) face.direction[i] *= inverse;
  face.sign = sign;
}

// Of a box cut by a plane with this normal (by default all ones).
inline void face_of_plane(const double* z, int n, const double* normal, Face& face) {
  face_of_box(z, n, face);
  for (int i = 0; i < n; ++i) face.direction[i] = face.free[i] * (normal ? normal[i] : 1.0);
  scale_direction(n, face, -1.0);
}

// Entries that are tied move together; the others are in a box.
template <class IsTied>
void face_of_ties(const double* z, int n, IsTied is_tied, Face& face) {
  face_of_box(z, n, face);
  for (int i = 0; i < n; ++i) {
    const bool tied = face.free[i] > 0.0 && is_tied(i);
    face.direction[i] = tied ? 1.0 : 0.0;
    if (tied) face.free[i] = 0.0;
  }
  scale_direction(n, face, 1.0);
}

inline double sum_of_positive(const double* score, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += score[i] > 0.0 ? score[i] : 0.0;
  return sum;
}

inline void turn_on_first_largest(const double* score, int n, double* y) {
  std::fill_n(y, n, 0.0);
  y[std::max_element(score, score + n) - score] = 1.0;
}

inline void turn_on_positive(const double* score, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] = score[i] > 0.0 ? 1.0 : 0.0;
}

}  // namespace treaty::graph
