// e^x and log x that give the same result on every machine: the C library chooses variants with or without fused
// multiply-add by machine, whose last digits differ (docs/adr/0004). These are branch-free in the common case, so that
// loops are vectorized, and accurate to a few units in the last place.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace treaty::label {

// e^x for x <= 0; zero below -700, well before doubles underflow.
inline double exponential(double x) {
  constexpr double kShift = 0x1.8p52;                  // adding it rounds to an integer, left in the low bits
  constexpr double kHigh = 0x1.62e42fefa38p-1;         // log 2, whose product with an integer is exact
  constexpr double kLow = 0x1.ef35793c7673p-45;        // and the rest of it
  const double within = x < -700.0 ? -700.0 : x;
  const double shifted = within * std::numbers::log2e + kShift;
  const double n = shifted - kShift;
  const double r = (within - n * kHigh) - n * kLow;    // x = n log 2 + r, |r| <= (log 2) / 2
  double p = 1.0 / 6227020800.0;                       // Taylor, 1/13! first
  for (const double c : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                         1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
    p = p * r + c;
  const auto exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return x < -700.0 ? 0.0 : p * std::bit_cast<double>(exponent);
}

// log x for x > 0 that is not denormal.
inline double logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // x = m 2^exponent
  if (m < std::numbers::sqrt2 / 2) m *= 2.0, --exponent;
  const double s = (m - 1.0) / (m + 1.0), square = s * s;  // log m = 2 artanh s, |s| < 0.172
  double series = 0.0;
  for (int k = 23; k > 1; k -= 2) series = (series + 1.0 / k) * square;
  return exponent * std::numbers::ln2 + 2.0 * s * (1.0 + series);
}

}  // namespace treaty::label
