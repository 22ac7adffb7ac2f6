// One hash for strings, features and labels: the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace treaty {

// The finaliser of splitmix64 (Steele, Lea & Flood 2014): every bit of the input touches every bit of the result.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mix(h);
}

// Adds a well-mixed value to a running hash; the result's high bits are good.
constexpr std::uint64_t combine(std::uint64_t h, std::uint64_t value) {
  return (h ^ value) * 0xd6e8feb86659fd93u;
}

// Feature noise for training: each feature is left out with a given chance, the same ones all over an example. What a
// model learns without some of its features it does not rest on any one of them.
class Dropout {
 public:
  Dropout() = default;
  Dropout(double chance, std::uint64_t seed)
      : below_(static_cast<std::uint64_t>(chance * 4294967296.0)), seed_(mix(seed)) {}
  // Moves what is left to the front; returns its end.
  std::uint64_t* apply(std::uint64_t* begin, std::uint64_t* end) const {
    if (below_ == 0) return end;
    return std::remove_if(begin, end, [&](std::uint64_t feature) { return combine(feature, seed_) >> 32 < below_; });
  }

 private:
  std::uint64_t below_ = 0, seed_ = 0;
};

}  // namespace treaty
