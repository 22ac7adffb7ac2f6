// Relative frequencies: the best parameters for given counts, and the log-likelihood of counts under these parameters,
// which is the objective of Viterbi EM as a function of the counts alone.
#pragma once

#include <span>

#include "induce/grammar.hpp"
#include "label/exponential.hpp"

namespace treaty::induce {

inline double x_log_x(double x) { return x > 0.0 ? x * label::logarithm(x) : 0.0; }

// sum over distributions of sum_m (f_m + lambda) log(f_m + lambda) - (N + K lambda) log(N + K lambda)
inline double log_likelihood(std::span<const Distribution> distributions, std::span<const double> counts,
                             double lambda) {
  double total = 0.0;
  for (const auto [first, size] : distributions) {
    double sum = 0.0;
    for (int m = first; m < first + size; ++m) {
      total += x_log_x(counts[m] + lambda);
      sum += counts[m] + lambda;
    }
    total -= x_log_x(sum);
  }
  return total;
}

// log of relative frequencies after adding lambda; a distribution without counts becomes uniform.
void estimate(std::span<const Distribution> distributions, std::span<const double> counts, double lambda,
              std::span<double> weights);

}  // namespace treaty::induce
