// Logic factors in closed form: exactly one (XOR), at most one, at least one (OR), OR with output.
//
// Projections follow the appendix of Martins, Smith, Aguiar & Figueiredo (2011), with sorting replaced by
// the linear-time search of Michelot (1986) and Condat (2016). They work in place, never allocate, end for
// any doubles, and leave every entry in [0, 1]. `scratch` has room for n doubles wherever it appears.
#pragma once

#include <algorithm>

namespace treaty::graph {

// [t]_U of the papers. Not-a-number becomes 0, so that nothing outside [0, 1] ever leaves a kernel. Both
// comparisons are with t itself: a chain of max and min would be compiled to a branch, hard to predict.
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

// The tau at which the part of `a` above it, sum_i (a_i - tau)_+, equals a given volume. It is kept relative
// to the largest entry: only entries within `volume` of that one can matter, so that nothing is lost to
// rounding however large they are.
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

// ---- Projections -------------------------------------------------------------------------------------

// Onto the simplex (Algorithm 2).
inline void project_exactly_one(double* z, int n, double* scratch) {
  if (n == 2) {
    const double half = 0.5 * (z[0] - z[1]);
    z[0] = clip(0.5 + half);
    z[1] = clip(0.5 - half);
    return;
  }
  const Threshold threshold = find_threshold(z, n, 1.0, scratch);
  for (int i = 0; i < n; ++i) z[i] = clip(threshold.above(z[i]));
}

// Appendix, Lemma 1: the constraint is tight unless clipping alone satisfies it.
inline void project_at_most_one(double* z, int n, double* scratch) {
  if (sum_of_clipped(z, n) <= 1.0) return clip_all(z, n);
  project_exactly_one(z, n, scratch);
}

inline void project_at_least_one(double* z, int n, double* scratch) {
  if (sum_of_clipped(z, n) >= 1.0) return clip_all(z, n);
  project_exactly_one(z, n, scratch);
}

// Algorithm 3: the cap tau with tau - a_0 = sum_i (a_i - tau)_+ , relative to a_0 (the output).
inline double find_cap(const double* a, int inputs, double output, double* scratch) {
  int count = 0;
  double sum = 0.0, cap = 0.0;
  for (int i = 0; i < inputs; ++i) {
    const double b = a[i] - output;
    if (!(b > cap)) continue;
    scratch[count++] = b;
    sum += b;
    cap = sum / (count + 1);
  }
  for (int before = 0; count != before && count > 0;) {
    before = count;
    count = 0;
    double rest = 0.0;
    for (int i = 0; i < before; ++i) {
      if (!(scratch[i] > cap)) continue;
      rest += scratch[i];
      scratch[count++] = scratch[i];
    }
    cap = rest / (count + 1);
  }
  return cap;
}

// The last entry is the output. The polytope is z_i <= z_0 <= sum_i z_i (Appendix E, its signs put right):
// project onto the first half and clip; when that breaks the second, z_0 = sum_i z_i, which is the
// exactly-one of the inputs and the negated output.
inline void project_or_with_output(double* z, int n, double* scratch) {
  double& output = z[n - 1];
  if (n == 1) {
    output = 0.0;
    return;
  }
  if (n == 2) {
    z[0] = z[1] = clip(0.5 * z[0] + 0.5 * z[1]);
    return;
  }
  const double cap = clip(output + find_cap(z, n - 1, output, scratch));
  double sum = 0.0;
  for (int i = 0; i < n - 1; ++i) sum += std::min(clip(z[i]), cap);
  if (cap <= sum) {
    for (int i = 0; i < n - 1; ++i) z[i] = std::min(clip(z[i]), cap);
    output = cap;
    return;
  }
  output = 1.0 - output;
  project_exactly_one(z, n, scratch);
  output = 1.0 - output;
}

// ---- Maximizers --------------------------------------------------------------------------------------
// best_* give the value alone (all a dual bound needs); maximize_* also write a 0/1 maximizer. Ties go to
// off, then to the first.

inline double sum_of_positive(const double* score, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += score[i] > 0.0 ? score[i] : 0.0;
  return sum;
}

inline double best_exactly_one(const double* score, int n) { return largest(score, n); }

inline double best_at_most_one(const double* score, int n) { return std::max(0.0, largest(score, n)); }

inline double best_at_least_one(const double* score, int n) {
  const double top = largest(score, n);
  return top > 0.0 ? sum_of_positive(score, n) : top;
}

inline double best_or_with_output(const double* score, int n) {
  return n == 1 ? 0.0 : std::max(0.0, score[n - 1] + best_at_least_one(score, n - 1));
}

inline void turn_on_first_largest(const double* score, int n, double* y) {
  std::fill_n(y, n, 0.0);
  y[std::max_element(score, score + n) - score] = 1.0;
}

inline void turn_on_positive(const double* score, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] = score[i] > 0.0 ? 1.0 : 0.0;
}

inline double maximize_exactly_one(const double* score, int n, double* y) {
  turn_on_first_largest(score, n, y);
  return best_exactly_one(score, n);
}

inline double maximize_at_most_one(const double* score, int n, double* y) {
  const double best = best_at_most_one(score, n);
  if (best > 0.0) turn_on_first_largest(score, n, y);
  else std::fill_n(y, n, 0.0);
  return best;
}

inline double maximize_at_least_one(const double* score, int n, double* y) {
  const double best = best_at_least_one(score, n);
  if (best > 0.0) turn_on_positive(score, n, y);
  else turn_on_first_largest(score, n, y);
  return best;
}

inline double maximize_or_with_output(const double* score, int n, double* y) {
  const double best = best_or_with_output(score, n);
  if (best > 0.0) {
    maximize_at_least_one(score, n - 1, y);
    y[n - 1] = 1.0;
  } else {
    std::fill_n(y, n, 0.0);
  }
  return best;
}

}  // namespace treaty::graph
