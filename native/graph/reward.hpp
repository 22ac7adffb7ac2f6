// The reward: a score w that counts when all n literals are on; data = {w}. PAIR of the papers when n = 2.
//
// Between the corners its score is the concave envelope over the local polytope: w min_i z_i when w > 0,
// w max(0, sum_i z_i - (n - 1)) when w < 0.
#pragma once

#include "graph/closed_form.hpp"

namespace treaty::graph {

// w > 0. Raising the lowest entries together gains w per unit: they rise to the level tau at which sum_i (tau - a_i)_+
// = w, and z_i = [max(a_i, tau)]_U.
inline void lift_lowest(double* z, int n, double w, double* scratch) {
  if (n == 2) {  // eq. 24 of Martins et al. (2011)
    const double a = z[0], b = z[1], lower = a < b ? a : b, mean = 0.5 * (a + b + w);
    const double level = lower + w < mean ? lower + w : mean;
    z[0] = clip(a > level ? a : level);
    z[1] = clip(b > level ? b : level);
    return;
  }
  for (int i = 0; i < n; ++i) z[i] = -z[i];
  const Threshold threshold = find_threshold(z, n, w, scratch);
  const double level = -(threshold.top + threshold.tau);
  for (int i = 0; i < n; ++i) z[i] = clip(-z[i] > level ? -z[i] : level);
}

// w < 0. z = [a - lambda]_U with one lambda in [0, |w|]: 0 if the clipped a has no penalty, |w| if there is still a
// penalty after subtracting |w|, and otherwise the lambda with sum z = n - 1, where the complements 1 - z lie in the
// simplex.
inline void discount_all(double* z, int n, double penalty, double* scratch) {
  if (n == 2) {
    const double a = z[0], b = z[1], lower = a < b ? a : b, half = 0.5 * (a + b - 1.0);
    const double edge = half < lower ? half : lower;
    const double capped = edge < penalty ? edge : penalty;
    const double lambda = capped * (edge > 0.0);  // a product: a conditional would become a branch
    z[0] = clip(a - lambda);
    z[1] = clip(b - lambda);
    return;
  }
  if (sum_of_clipped(z, n) <= n - 1) return clip_all(z, n);
  double discounted = 0.0;
  for (int i = 0; i < n; ++i) discounted += clip(z[i] - penalty);
  if (discounted >= n - 1) {
    for (int i = 0; i < n; ++i) z[i] = clip(z[i] - penalty);
    return;
  }
  for (int i = 0; i < n; ++i) z[i] = 1.0 - z[i];
  project_onto_simplex(z, n, scratch);
  for (int i = 0; i < n; ++i) z[i] = 1.0 - z[i];
}

// The lowest entries move together; the score moves as they do.
inline void face_of_lift(const double* z, int n, double w, Face& face) {
  const double* low = std::min_element(z, z + n);
  const bool lifted = w > 0.0;
  face_of_ties(z, n, [&](int i) { return lifted ? z[i] <= *low + kAtBound : i == low - z; }, face);
  int tied = 0;
  for (int i = 0; i < n; ++i) tied += face.direction[i] > 0.0;
  for (int i = 0; i < n; ++i) face.slope[i] = face.direction[i] > 0.0 ? 1.0 / tied : 0.0;
}

// Only between the two pieces of the score, their border holds the entries.
inline void face_of_discount(const double* a, const double* z, int n, double penalty, Face& face) {
  double discounted = 0.0;
  for (int i = 0; i < n; ++i) discounted += clip(a[i] - penalty);
  if (sum_of_clipped(a, n) <= n - 1) return face_of_box(z, n, face);
  if (discounted < n - 1) return face_of_plane(z, n, nullptr, face);
  face_of_box(z, n, face);
  std::fill_n(face.slope, n, 1.0);
}

// The best of: all on; or the positive ones, without the smallest if all are positive.
struct RewardValues {
  double all_on, not_all;
};

inline RewardValues reward_values(const double* score, int n, double w) {
  double sum = 0.0, positive = 0.0, weakest = score[0];
  for (int i = 0; i < n; ++i) {
    sum += score[i];
    positive += std::max(score[i], 0.0);
    weakest = std::min(weakest, score[i]);
  }
  return {sum + w, positive - std::max(weakest, 0.0)};
}

struct Reward : ClosedForm {
  static constexpr const char* name = "reward";
  static void check(const Arguments& arguments) {
    arguments.require_degree(1);
    arguments.require_length("score", arguments.data.size(), 1);
    arguments.require_numbers();
  }
  static double best(const FactorView& factor, const double* score, int n) {
    const RewardValues value = reward_values(score, n, factor.data[0]);
    return std::max(value.all_on, value.not_all);
  }
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double*) {
    const RewardValues value = reward_values(score, n, factor.data[0]);
    if (value.all_on > value.not_all) {
      std::fill_n(y, n, 1.0);
      return value.all_on;
    }
    turn_on_positive(score, n, y);
    const double* weakest = std::min_element(score, score + n);
    if (*weakest > 0.0) y[weakest - score] = 0.0;
    return value.not_all;
  }
  static bool project(const FactorView& factor, double* z, int n, double penalty, double* scratch) {
    const double w = factor.data[0] / penalty;
    if (n == 1) z[0] = clip(z[0] + w);
    else if (w > 0.0) lift_lowest(z, n, w, scratch);
    else discount_all(z, n, -w, scratch);
    return true;
  }
  // For w = 0 the score is taken as that of w > 0.
  static void face(const FactorView& factor, const double* a, const double* z, int n, double penalty, Face& face) {
    const double w = factor.data[0] / penalty;
    if (n == 1) {
      face_of_box(z, n, face);
      face.slope[0] = 1.0;
    } else if (w >= 0.0) {
      face_of_lift(z, n, w, face);
    } else {
      face_of_discount(a, z, n, -w, face);
    }
  }
  static double evaluate(const FactorView& factor, std::span<const std::int8_t> y) {
    return count_on(y) == std::ssize(y) ? factor.data[0] : 0.0;
  }
  static double relaxed_score(const FactorView& factor, const double* z, int n) {
    double least = 1.0, off = 0.0;
    for (int i = 0; i < n; ++i) {
      least = std::min(least, z[i]);
      off += 1.0 - z[i];
    }
    const double w = factor.data[0];
    return w * (w > 0.0 ? least : std::max(0.0, 1.0 - off));
  }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    const bool possible = open.on + std::ssize(open.literals) == factor.degree();
    if (possible) remains.add_reward(open.literals, factor.data[0]);
  }
};

}  // namespace treaty::graph
