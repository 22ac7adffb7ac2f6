// Literals that must be equal: union-find with parity.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace treaty::solve {

class EqualLiterals {
 public:
  explicit EqualLiterals(std::int32_t variables) : parent_(variables) {
    for (std::int32_t v = 0; v < variables; ++v) parent_[v] = 2 * v;
  }

  // The literal that stands for all that are equal to this one, of the variable with the smallest number.
  std::int32_t representative(std::int32_t literal) {
    auto root = literal;
    while (parent_[root >> 1] != (root & ~1)) root = parent_[root >> 1] ^ (root & 1);
    while ((literal >> 1) != (root >> 1)) {  // path compression
      const auto next = parent_[literal >> 1] ^ (literal & 1);
      parent_[literal >> 1] = root ^ (literal & 1);
      literal = next;
    }
    return root;
  }

  // False when one is the negation of the other.
  bool merge(std::int32_t a, std::int32_t b) {
    a = representative(a), b = representative(b);
    if ((a >> 1) == (b >> 1)) return a == b;
    if (a > b) std::swap(a, b);
    parent_[b >> 1] = a ^ (b & 1);
    return true;
  }

 private:
  std::vector<std::int32_t> parent_;  // variable -> literal it equals, itself when a root
};

}  // namespace treaty::solve
