// Sums over spanning arborescences from node 0: the log of the sum of the products of arc weights, and its gradient.
//
// The matrix-tree theorem as an elimination of nodes without subtractions: a node k is taken out, and what hung from k
// hangs from the heads of k, in proportion:
//   Z = S_k Z',   w'(h, m) = w(h, m) + w(k, m) w(h, k) / S_k,   S_k = sum of w(h, k).
// All numbers stay positive, so nothing cancels, whatever the sizes of the scores (a determinant loses its digits where
// some arcs are far better than others). With a single root arc, S_k leaves out that of node 0 for all but the last node:
// the part of Z that is linear in the root arcs. Weights are numbers where these suffice, and logarithms otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "diff/dual.hpp"

namespace treaty::diff {

// Plain weights: false if they underflow.
inline double number(double score, double offset) { return std::exp(score - offset); }
inline Dual number(Dual score, double offset) { return exp(Dual{score.value - offset, score.rate}); }
template <class T>
inline constexpr bool kAreLogs = false;
template <class T>
inline constexpr bool kAreLogs<Logarithm<T>> = true;

template <class T>
class SpanningTrees {
 public:
  // shape = {nodes, single root?, head, modifier...}, as of the factor.
  // Adds to `expected` the probability of each arc; returns the log of the sum, -inf if there is no tree.
  T sum(std::span<const std::int32_t> shape, std::span<const T> score, std::span<T> expected) {
    T total;
    if (!run<T>(shape, score, expected, total)) run<Logarithm<T>>(shape, score, expected, total);
    return total;
  }

 private:
  static double size_of(double a) { return a; }
  static double size_of(Dual a) { return a.value; }
  static double size_of(const Logarithm<T>& a) { return value_of(a.log); }
  static T ratio(T a, T b) { return a / b; }
  static T ratio(const Logarithm<T>& a, const Logarithm<T>& b) {
    return value_of(a.log) == -kInfinity ? T(0.0) : exp(a.log - b.log);
  }
  static T logarithm(T a) { return log(a); }
  static T logarithm(const Logarithm<T>& a) { return a.log; }
  template <class N>
  static bool is_zero(const N& a) {
    if constexpr (kAreLogs<N>) return size_of(a) == -kInfinity;
    else return size_of(a) == 0.0;
  }

  template <class N>
  struct Step {
    std::size_t node;
    std::vector<T> share_of_head;   // w(h, k) / S_k
    std::vector<T> share_via_node;  // of w'(h, m): what goes through the node, by m, then h
  };

  template <class N>
  bool run(std::span<const std::int32_t> shape, std::span<const T> score, std::span<T> expected, T& total) {
    const auto n = static_cast<std::size_t>(shape[0]);
    const bool single = shape[1] != 0 && n > 1;
    total = T(0.0);
    if (n <= 1) return true;
    // Weights relative to the best arc into each node.
    std::vector<double> best(n, -kInfinity);
    for (std::size_t a = 0; a < score.size(); ++a) {
      auto& top = best[static_cast<std::size_t>(shape[3 + 2 * a])];
      top = std::max(top, value_of(score[a]));
    }
    for (std::size_t m = 1; m < n; ++m) {
      if (best[m] == -kInfinity) return total = T(-kInfinity), true;
      total += T(best[m]);
    }
    std::vector<N> w(n * n);  // by modifier, then head
    for (std::size_t a = 0; a < score.size(); ++a) {
      const auto h = static_cast<std::size_t>(shape[2 + 2 * a]), m = static_cast<std::size_t>(shape[3 + 2 * a]);
      if (h == m || m == 0 || value_of(score[a]) == -kInfinity) continue;
      if constexpr (kAreLogs<N>) w[m * n + h] = w[m * n + h] + N{score[a] - T(best[m])};
      else w[m * n + h] = w[m * n + h] + number(score[a], best[m]);
    }
    const std::vector<N> original = w;
    std::vector<std::size_t> left;
    for (std::size_t m = 1; m < n; ++m) left.push_back(m);
    std::vector<Step<N>> steps;
    while (!left.empty()) {
      const bool with_root = !single || left.size() == 1;
      std::size_t place = left.size();
      N sum{};
      for (std::size_t i = left.size(); i-- > 0 && place == left.size();) {  // with arcs from nodes that are left
        N all = with_root ? w[left[i] * n] : N{};
        for (auto h : left)
          if (h != left[i]) all = all + w[left[i] * n + h];
        if (!is_zero(all)) place = i, sum = all;
      }
      if (place == left.size()) {
        if (!kAreLogs<N>) return false;
        return total = T(-kInfinity), true;
      }
      if (!kAreLogs<N> && !(size_of(sum) > 1e-200)) return false;
      total += logarithm(sum);
      const auto k = left[place];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(place));
      Step<N> step{k, std::vector<T>(n, T(0.0)), {}};
      std::vector<std::size_t> heads = left;
      heads.push_back(0);
      for (auto h : heads) step.share_of_head[h] = ratio(w[k * n + h], sum);
      step.share_via_node.assign(left.size() * n, T(0.0));
      for (std::size_t i = 0; i < left.size(); ++i) {
        const auto m = left[i];
        if (is_zero(w[m * n + k])) continue;
        for (auto h : heads) {
          if (h == m || is_zero(w[k * n + h])) continue;
          const N via = w[m * n + k] * w[k * n + h] / sum;
          N& whole = w[m * n + h];
          whole = whole + via;
          // Without the root arcs in S_k, those that go through k may grow without end.
          if (!kAreLogs<N> && !(size_of(whole) < 1e200)) return false;
          if (!is_zero(whole)) step.share_via_node[i * n + h] = ratio(via, whole);
        }
      }
      steps.push_back(std::move(step));
    }
    backward(n, single, steps, original, shape, score, best, expected);
    return true;
  }

  // The derivatives of the logarithm of the sum by the logarithms of the weights: probabilities.
  template <class N>
  void backward(std::size_t n, bool single, const std::vector<Step<N>>& steps, const std::vector<N>& original,
                std::span<const std::int32_t> shape, std::span<const T> score, const std::vector<double>& best,
                std::span<T> expected) {
    std::vector<T> g(n * n, T(0.0));
    std::vector<std::size_t> left;  // nodes that were left after the step, in its order
    std::vector<std::vector<std::size_t>> after(steps.size());
    for (std::size_t m = 1; m < n; ++m) left.push_back(m);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      std::erase(left, steps[s].node);
      after[s] = left;
    }
    std::vector<T> through(n);
    for (std::size_t s = steps.size(); s-- > 0;) {
      const auto& step = steps[s];
      const auto k = step.node;
      const bool with_root = !single || s + 1 == steps.size();
      std::ranges::fill(through, T(0.0));
      T all(0.0);
      auto heads = after[s];
      heads.push_back(0);
      for (std::size_t i = 0; i < after[s].size(); ++i) {
        const auto m = after[s][i];
        T hung(0.0);
        for (auto h : heads) {
          if (h == m) continue;
          const T via = g[m * n + h] * step.share_via_node[i * n + h];
          g[m * n + h] -= via;
          through[h] += via;
          hung += via;
        }
        g[m * n + k] = hung;
        all += hung;
      }
      for (auto h : heads) {
        const T part = h == 0 && !with_root ? T(0.0) : step.share_of_head[h] * (T(1.0) - all);
        g[k * n + h] = through[h] + part;
      }
    }
    for (std::size_t a = 0; a < score.size(); ++a) {
      const auto h = static_cast<std::size_t>(shape[2 + 2 * a]), m = static_cast<std::size_t>(shape[3 + 2 * a]);
      if (h == m || m == 0 || value_of(score[a]) == -kInfinity) continue;
      const N& whole = original[m * n + h];
      if (is_zero(whole)) continue;
      T part;  // parallel arcs share
      if constexpr (kAreLogs<N>) part = exp(score[a] - T(best[m]) - whole.log);
      else part = number(score[a], best[m]) / whole;
      expected[a] += g[m * n + h] * part;
    }
  }
};

}  // namespace treaty::diff
