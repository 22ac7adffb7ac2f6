// The inner loops of the dynamic programs. They compute values first and positions later: a loop that keeps no index
// has no branch and compiles to vector instructions.
#pragma once

#include <cstddef>
#include <span>

#include "graph/oracle.hpp"

namespace treaty::graph {

// best[j] = max(best[j], offset + row[j]).
inline void raise_to(std::span<double> best, const double* row, double offset) {
  double* const out = best.data();
  const std::size_t n = best.size();
  for (std::size_t j = 0; j < n; ++j) {
    const double value = offset + row[j];
    out[j] = value > out[j] ? value : out[j];
  }
}

// The largest value, -inf for none. Four running maxima hide the latency of a comparison.
inline double largest(std::span<const double> values) {
  auto larger = [](double a, double b) { return a > b ? a : b; };
  double a = -kInfinity, b = a, c = a, d = a;
  std::size_t j = 0;
  for (; j + 4 <= values.size(); j += 4) {
    a = larger(values[j], a);
    b = larger(values[j + 1], b);
    c = larger(values[j + 2], c);
    d = larger(values[j + 3], d);
  }
  for (; j < values.size(); ++j) a = larger(values[j], a);
  return larger(larger(a, b), larger(c, d));
}

// The first position in 0..n-1 where value_at equals `value`; there must be one.
template <class ValueAt>
std::size_t place_of(double value, std::size_t n, ValueAt value_at) {
  std::size_t place = 0;
  while (place + 1 < n && value_at(place) != value) ++place;
  return place;
}

inline void set_infeasible(Configuration& best) {
  best.on.clear();
  best.score = -kInfinity;
}

}  // namespace treaty::graph
