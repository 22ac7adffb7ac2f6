// Literals as integers: 2 * variable, plus 1 when it is negated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace treaty::graph {

inline std::vector<std::int32_t> negated(std::span<const std::int32_t> literals) {
  std::vector<std::int32_t> all(literals.begin(), literals.end());
  for (auto& literal : all) literal ^= 1;
  return all;
}

inline std::vector<std::int32_t> with_last_negated(std::span<const std::int32_t> literals) {
  std::vector<std::int32_t> all(literals.begin(), literals.end());
  all.back() ^= 1;
  return all;
}

// Whether a literal occurs together with its negation, which decides an OR or an AND.
inline bool has_complements(std::span<const std::int32_t> literals) {
  std::vector<std::int32_t> sorted(literals.begin(), literals.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted, [](auto a, auto b) { return b == a + 1 && b % 2 == 1; }) != sorted.end();
}

}  // namespace treaty::graph
