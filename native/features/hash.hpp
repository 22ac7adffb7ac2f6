// One hash for strings, features and labels, which is the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace treaty::features {

// The finalizer of splitmix64 (Steele, Lea & Flood 2014): every bit of the input affects every bit of the result.
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

}  // namespace treaty::features
