// Numbers with a derivative in one direction, and positive numbers kept as logarithms: the sums below are written once
// and run on any of them.
#pragma once

#include <cmath>

#include "graph/oracle.hpp"

namespace treaty::diff {

using graph::kInfinity;

struct Dual {
  double value = 0.0, rate = 0.0;
  Dual() = default;
  Dual(double v, double r = 0.0) : value(v), rate(r) {}  // NOLINT: numbers convert
  Dual& operator+=(Dual b) { return value += b.value, rate += b.rate, *this; }
  Dual& operator-=(Dual b) { return value -= b.value, rate -= b.rate, *this; }
};
inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.rate + b.rate}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.rate - b.rate}; }
inline Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.value * b.rate + a.rate * b.value}; }
inline Dual operator/(Dual a, Dual b) {
  const double value = a.value / b.value;
  return {value, (a.rate - value * b.rate) / b.value};
}
inline Dual log(Dual a) { return {std::log(a.value), a.rate / a.value}; }
inline Dual exp(Dual a) {
  const double value = std::exp(a.value);
  return {value, value == 0.0 ? 0.0 : value * a.rate};
}
inline double log(double a) { return std::log(a); }
inline double exp(double a) { return std::exp(a); }
inline double value_of(double a) { return a; }
inline double value_of(Dual a) { return a.value; }
inline double rate_of(double) { return 0.0; }
inline double rate_of(Dual a) { return a.rate; }

// log(exp(a) + exp(b)).
template <class T>
T log_add(T a, T b) {
  if (value_of(a) < value_of(b)) std::swap(a, b);
  if (value_of(b) == -kInfinity) return a;
  return a + log(T(1.0) + exp(b - a));
}

// A positive number as its logarithm.
template <class T>
struct Logarithm {
  T log{-kInfinity};
};
template <class T>
Logarithm<T> operator+(Logarithm<T> a, Logarithm<T> b) {
  return {log_add(a.log, b.log)};
}
template <class T>
Logarithm<T> operator*(Logarithm<T> a, Logarithm<T> b) {
  if (value_of(a.log) == -kInfinity || value_of(b.log) == -kInfinity) return {};
  return {a.log + b.log};
}
template <class T>
Logarithm<T> operator/(Logarithm<T> a, Logarithm<T> b) {
  if (value_of(a.log) == -kInfinity) return {};
  return {a.log - b.log};
}

}  // namespace treaty::diff
