// Random numbers that are the same on every machine (splitmix64).
#pragma once

#include <cstdint>

namespace treaty::induce {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)

 private:
  std::uint64_t state_;
};

// A seed for the n-th of many independent streams.
inline std::uint64_t stream(std::uint64_t seed, std::uint64_t n) {
  return Random(seed ^ (n * 0xd1342543de82ef95u)).next();
}

}  // namespace treaty::induce
