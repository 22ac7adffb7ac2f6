// Nonnegative numbers stored as logarithms: slow, but they neither overflow nor underflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace treaty::parse {

struct LogNumber {
  double log = -std::numeric_limits<double>::infinity();

  friend LogNumber operator*(LogNumber a, LogNumber b) { return {a.log + b.log}; }
  friend LogNumber operator/(LogNumber a, LogNumber b) { return {a.log - b.log}; }
  friend LogNumber operator+(LogNumber a, LogNumber b) {
    const auto [less, more] = std::minmax(a.log, b.log);
    if (less == -std::numeric_limits<double>::infinity()) return {more};
    return {more + std::log1p(std::exp(less - more))};
  }
};

inline double log_of(double number) { return std::log(number); }
inline double log_of(LogNumber number) { return number.log; }
inline double to_double(double number) { return number; }
inline double to_double(LogNumber number) { return std::exp(number.log); }

}  // namespace treaty::parse
