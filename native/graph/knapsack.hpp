// The knapsack: {z in [0, 1]^n : cost . z <= capacity}, costs >= 0, in expected linear time; data = {costs, capacity}.
//
// The projection is z = [a - tau c]_U with tau >= 0, the price of capacity. Each entry leaves 1 and reaches 0
// at two breakpoints, (a_i - 1) / c_i and a_i / c_i; between neighboring breakpoints the cost spent is linear
// in tau. A few Newton steps mostly find the right piece (Cominetti, Mac & Silva 2014). Where they do not, a
// search that halves the breakpoints left and retires entries with none left ends in linear time (Pardalos &
// Kovoor 1990; Almeida & Martins 2013, Algorithm 1, whose sums are derived afresh here).
#pragma once

#include <cmath>
#include <cstdint>

#include "graph/closed_form.hpp"

namespace treaty::graph {

// Sums of costs such as 0.1 + 0.2 are rounded: this much above the capacity, relative to it, is allowed.
inline constexpr double kCapacityRounding = 1e-12;

inline double largest_cost(const double* cost, int n) {
  double top = 0.0;
  for (int i = 0; i < n; ++i) top = std::max(top, cost[i]);
  return top;
}

// Pivots are random, so that no order of the input is a bad case, with a fixed seed, so that results are reproducible
// (Knuth's MMIX generator).
struct PivotSource {
  std::uint64_t state = 1;
  int below(int n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(n));
  }
};

// How much [a - tau c]_U spends, and how fast that falls as tau grows. There are two loops because the compiler
// vectorizes each of them but not both in one.
inline double spent_at(double tau, const double* a, int n, const double* cost) {
  double total = 0.0;
  for (int i = 0; i < n; ++i) total += cost[i] * clip(a[i] - tau * cost[i]);
  return total;
}

inline double spending_rate(double tau, const double* a, int n, const double* cost) {
  double rate = 0.0;
  for (int i = 0; i < n; ++i) {
    const double z = a[i] - tau * cost[i];
    rate += cost[i] * cost[i] * ((z > 0.0) & (z <= 1.0));
  }
  return rate;
}

// Entries that are not yet settled, and the sums of those that are settled for every tau between lo and hi.
struct BreakpointSearch {
  double *cost, *leaves_one, *reaches_zero;
  int count;
  double lo, hi;
  double ones_spent = 0.0;                   // what entries at 1 spend;
  double free_spent = 0.0, free_rate = 0.0;  // free entries spend free_spent - tau * free_rate
  PivotSource pivots{};

  bool inside(double breakpoint) const { return breakpoint > lo && breakpoint < hi; }

  double pivot() {
    const int i = pivots.below(count);
    return inside(reaches_zero[i]) ? reaches_zero[i] : leaves_one[i];
  }

  double spent(double tau) const {
    double sum = ones_spent + free_spent - tau * free_rate;
    for (int i = 0; i < count; ++i) sum += cost[i] * clip(cost[i] * (reaches_zero[i] - tau));
    return sum;
  }

  void settle() {
    const int before = count;
    count = 0;
    for (int i = 0; i < before; ++i) {
      const double c = cost[i], one = leaves_one[i], zero = reaches_zero[i];
      if (inside(one) || inside(zero)) {
        cost[count] = c, leaves_one[count] = one, reaches_zero[count++] = zero;
      } else if (one >= hi) {
        ones_spent += c;
      } else if (zero > lo) {
        free_spent += c * c * zero;
        free_rate += c * c;
      }
    }
  }

  double run(double capacity) {
    for (settle(); count > 0; settle()) {
      const double tau = pivot();
      (spent(tau) > capacity ? lo : hi) = tau;
    }
    const double tau = (ones_spent + free_spent - capacity) / free_rate;
    return free_rate > 0.0 ? std::min(std::max(tau, lo), hi) : hi;  // hi: within the capacity
  }
};

// The tau at which [a - tau c]_U spends exactly the capacity, when it must lie between lo and hi.
inline double search_breakpoints(const double* a, int n, const double* cost, double capacity, double lo, double hi,
                                 double* scratch) {
  BreakpointSearch search{scratch, scratch + n, scratch + 2 * n, 0, lo, hi};
  for (int i = 0; i < n; ++i) {
    if (!(cost[i] > 0.0)) continue;
    search.cost[search.count] = cost[i];
    search.leaves_one[search.count] = (a[i] - 1.0) / cost[i];
    search.reaches_zero[search.count++] = a[i] / cost[i];
  }
  return search.run(capacity);
}

inline double find_price(const double* a, int n, const double* cost, double capacity, double* scratch) {
  double lo = -kInfinity, hi = kInfinity, tau = 0.0;
  for (int step = 0; step < 8 && tau > lo && tau < hi; ++step) {
    const double excess = spent_at(tau, a, n, cost) - capacity;
    if (std::abs(excess) <= 1e-14 * capacity) return tau;
    (excess > 0.0 ? lo : hi) = tau;
    tau += excess / spending_rate(tau, a, n, cost);
  }
  return search_breakpoints(a, n, cost, capacity, lo, hi, scratch);
}

// With a cost of 0 (or -0) the ratio is infinite, or NaN if the score is 0 as well.
inline double score_per_cost(double score, double cost) { return score / std::abs(cost); }

// If entries are taken by score per cost, best first: the ratio at which the capacity is used up, by a weighted
// quickselect; 0 if all entries with positive scores fit.
inline double find_last_ratio(const double* score, int n, const double* cost, double capacity, double* scratch) {
  double *ratio = scratch, *weight = scratch + n;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    ratio[count] = score_per_cost(score[i], cost[i]);
    weight[count] = cost[i];
    count += (score[i] > 0.0) & (cost[i] > 0.0);
  }
  PivotSource pivots;
  while (count > 0) {
    const double pivot = ratio[pivots.below(count)];
    double above = 0.0, at = 0.0;
    for (int i = 0; i < count; ++i) {
      above += ratio[i] > pivot ? weight[i] : 0.0;
      at += ratio[i] == pivot ? weight[i] : 0.0;
    }
    if (above <= capacity && capacity < above + at) return pivot;
    const bool higher = above > capacity;
    if (!higher) capacity -= above + at;
    const int before = count;
    count = 0;
    for (int i = 0; i < before; ++i) {
      const double r = ratio[i];
      ratio[count] = r;
      weight[count] = weight[i];
      count += higher ? r > pivot : r < pivot;
    }
  }
  return 0.0;
}

struct Knapsack : ClosedForm {
  static constexpr const char* name = "knapsack";
  static constexpr bool data_are_scores = false;
  static void check(const Arguments& arguments) {
    arguments.require_degree(1);
    arguments.require_length("costs and a capacity", arguments.data.size(), arguments.literals.size() + 1);
    arguments.require_numbers();
    for (double cost : arguments.data.first(arguments.literals.size()))
      if (cost < 0) arguments.refuse("costs must not be negative (negate the literal instead)");
  }

  // At most one entry of y is fractional: the one that takes what is left of the capacity.
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
    const double* cost = factor.data.data();
    const double capacity = cost[n];
    std::fill_n(y, n, 0.0);
    if (capacity < 0.0) return -kInfinity;
    const double last = find_last_ratio(score, n, cost, capacity, scratch);
    double value = 0.0, room = capacity;
    for (int i = 0; i < n; ++i) {
      y[i] = score_per_cost(score[i], cost[i]) > last;
      value += y[i] * score[i];
      room -= y[i] * cost[i];
    }
    if (last > 0.0) {
      for (int i = 0; i < n; ++i) {
        if (score_per_cost(score[i], cost[i]) != last) continue;
        y[i] = room < cost[i] ? std::max(room, 0.0) / cost[i] : 1.0;
        value += y[i] * score[i];
        room -= cost[i];
      }
    }
    return value;
  }

  static bool project(const FactorView& factor, double* z, int n, double, double* scratch) {
    const double* cost = factor.data.data();
    const double capacity = cost[n];
    if (capacity < 0.0) return false;
    if (spent_at(0.0, z, n, cost) <= capacity) {
      clip_all(z, n);
      return true;
    }
    if (capacity == 0.0) {
      for (int i = 0; i < n; ++i) z[i] = cost[i] > 0.0 ? 0.0 : clip(z[i]);
      return true;
    }
    // Costs are scaled by the largest, so that their squares neither overflow nor underflow. (The price, about a / cost
    // in that unit, must be a finite double; otherwise z is feasible but not the projection.)
    const double unit = largest_cost(cost, n);
    double* relative = scratch + 3 * n;
    for (int i = 0; i < n; ++i) relative[i] = cost[i] / unit;
    // As for Exactly, later rounds correct the rounding of tau at the scale of `a`.
    for (int round = 0; round < 3; ++round) {
      const double tau = find_price(z, n, relative, capacity / unit, scratch);
      if (tau == 0.0) break;
      for (int i = 0; i < n; ++i) z[i] -= relative[i] > 0.0 ? tau * relative[i] : 0.0;
    }
    clip_all(z, n);
    return true;
  }

  static void face(const FactorView& factor, const double* a, const double* z, int n, double, Face& face) {
    const double* cost = factor.data.data();
    const double unit = largest_cost(cost, n);
    if (spent_at(0.0, a, n, cost) <= cost[n] || !(unit > 0.0)) return face_of_box(z, n, face);
    for (int i = 0; i < n; ++i) face.slope[i] = cost[i] / unit;
    face_of_plane(z, n, face.slope, face);
    std::fill_n(face.slope, n, 0.0);
  }

  static double evaluate(const FactorView& factor, std::span<const std::int8_t> y) {
    double spent = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) spent += y[i] != 0 ? factor.data[i] : 0.0;
    const double capacity = factor.data.back();
    return allowed_if(capacity >= 0.0 && spent <= capacity * (1.0 + kCapacityRounding));
  }
  static void imply(const FactorView& factor, Rows& rows) {
    rows.add(factor.literals, 0, factor.degree(), factor.data.data(), factor.data.back());
  }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    if (open.literals.empty()) return;
    std::vector<double> cost;
    double used = 0.0;
    for (int i = 0; i < factor.degree(); ++i) {
      const auto literal = factor.literals[i];
      if (!remains.facts.is_fixed(literal)) cost.push_back(factor.data[i]);
      else if (remains.facts.is_on(literal)) used += factor.data[i];
    }
    // Propagation has checked that the literals that are on fit; rounding may still make their cost exceed the
    // capacity.
    cost.push_back(std::max(0.0, factor.data.back() - used));
    remains.add(factor.kind, open.literals, cost);
  }
  static double least_score(const FactorView&) { return 0.0; }
};

}  // namespace treaty::graph
