// Budget factors: at most k, or exactly k, of n literals are on; shape = {k}.
//
// The projection onto exactly(k) is z = [a - tau]_U with the tau that makes the entries sum to k.
#pragma once

#include <cmath>
#include <functional>

#include "graph/closed_form.hpp"

namespace treaty::graph {

inline double sum_of_clipped_above(double tau, const double* a, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += clip(a[i] - tau);
  return sum;
}

// Finds tau by fixing variables (Bitran & Hax 1981): solve as if no bound held for the free entries, then
// fix those at whichever bound the clipped sum shows to be final. 0 < k < n.
inline double find_budget_threshold(const double* a, int n, int k, double* free) {
  int count = n, left = k;
  double sum = 0.0, tau = 0.0;
  for (int i = 0; i < n; ++i) sum += free[i] = a[i];
  for (int before = 0; count != before && count > 0;) {
    tau = (sum - left) / count;
    const double clipped = sum_of_clipped_above(tau, free, count);
    if (clipped == left) break;
    const bool rise = clipped > left;  // then what is off stays off; else what is on stays on
    before = count;
    count = 0;
    sum = 0.0;
    for (int i = 0; i < before; ++i) {
      const double x = free[i];
      const bool stays = rise ? x > tau : x - tau < 1.0;
      free[count] = x;
      count += stays;
      sum += stays ? x : 0.0;
    }
    if (!rise) left -= before - count;
  }
  return tau;
}

// Turns on the k largest entries above the floor; ties go to the first.
inline double turn_on_largest(const double* score, int n, int k, double floor, double* y, double* scratch) {
  std::fill_n(y, n, 0.0);
  if (k == 0) return 0.0;
  std::copy_n(score, n, scratch);
  std::nth_element(scratch, scratch + (k - 1), scratch + n, std::greater<>());
  const double last = scratch[k - 1];
  int ties = k;
  for (int i = 0; i < n; ++i) ties -= score[i] > last;
  double value = 0.0;
  for (int i = 0; i < n; ++i) {
    if (score[i] < last || score[i] <= floor || (score[i] == last && ties-- <= 0)) continue;
    y[i] = 1.0;
    value += score[i];
  }
  return value;
}

struct Budget : ClosedForm {
  static void check(const Arguments& arguments) {
    arguments.require_degree(1);
    arguments.require_length("limit", arguments.shape.size(), 1);
    if (arguments.shape[0] < 0) arguments.refuse("the limit must not be negative");
  }
};

struct Exactly : Budget {
  static constexpr const char* name = "exactly";
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
    const int k = factor.shape[0];
    if (k > n) {
      std::fill_n(y, n, 0.0);
      return -kInfinity;
    }
    return turn_on_largest(score, n, k, -kInfinity, y, scratch);
  }
  static bool project(const FactorView& factor, double* z, int n, double, double* scratch) {
    const int k = factor.shape[0];
    if (k > n) return false;
    if (k == 0 || k == n) {
      std::fill_n(z, n, k == 0 ? 0.0 : 1.0);
      return true;
    }
    if (k == 1) {
      project_onto_simplex(z, n, scratch);
      return true;
    }
    // tau is rounded at the scale of `a`, but the differences a - tau are not: a second round on them corrects the sum
    // if the entries are huge.
    for (int round = 0; round < 3; ++round) {
      const double tau = find_budget_threshold(z, n, k, scratch);
      for (int i = 0; i < n; ++i) z[i] -= tau;
      if (std::abs(sum_of_clipped(z, n) - k) <= 1e-13 * k) break;
    }
    clip_all(z, n);
    return true;
  }
  static void face(const FactorView&, const double*, const double* z, int n, double, Face& face) {
    face_of_plane(z, n, nullptr, face);
  }
  static double evaluate(const FactorView& factor, std::span<const std::int8_t> y) {
    return allowed_if(count_on(y) == factor.shape[0]);
  }
  static void imply(const FactorView& factor, Rows& rows) { rows.add(factor.literals, factor.shape[0], factor.shape[0]); }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    remains.add_exactly(factor.shape[0] - open.on, open.literals);
  }
};

struct AtMost : Budget {
  static constexpr const char* name = "at_most";
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
    return turn_on_largest(score, n, std::min(factor.shape[0], n), 0.0, y, scratch);
  }
  static bool project(const FactorView& factor, double* z, int n, double penalty, double* scratch) {
    const int k = factor.shape[0];
    if (k < n && sum_of_clipped(z, n) > k) return Exactly::project(factor, z, n, penalty, scratch);
    clip_all(z, n);
    return true;
  }
  static void face(const FactorView& factor, const double* a, const double* z, int n, double, Face& face) {
    if (factor.shape[0] < n && sum_of_clipped(a, n) > factor.shape[0]) face_of_plane(z, n, nullptr, face);
    else face_of_box(z, n, face);
  }
  static double evaluate(const FactorView& factor, std::span<const std::int8_t> y) {
    return allowed_if(count_on(y) <= factor.shape[0]);
  }
  static void imply(const FactorView& factor, Rows& rows) { rows.add(factor.literals, 0, factor.shape[0]); }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    remains.add_at_most(factor.shape[0] - open.on, open.literals);
  }
};

}  // namespace treaty::graph
