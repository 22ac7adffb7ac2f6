// What is known about a graph's variables: which are fixed, and which literals must be equal (union-find with parity).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace treaty::graph {

class Facts {
 public:
  explicit Facts(std::vector<std::int8_t> values) : value_(std::move(values)), parent_(value_.size()) {
    for (std::size_t v = 0; v < parent_.size(); ++v) parent_[v] = 2 * static_cast<std::int32_t>(v);
  }

  std::int8_t value(std::int32_t variable) const { return value_[variable]; }  // -1 when free
  bool is_fixed(std::int32_t literal) const { return value_[literal >> 1] >= 0; }
  bool is_on(std::int32_t literal) const { return value_[literal >> 1] == ((literal & 1) ^ 1); }

  // If all but two of these literals are fixed, exactly one of the two is on. Returns false on a contradiction.
  bool last_two_differ(std::span<const std::int32_t> literals) {
    std::int32_t open[2], count = 0;
    for (auto literal : literals) {
      if (is_fixed(literal)) continue;
      if (count == 2) return true;
      open[count++] = literal;
    }
    return count != 2 || merge(open[0], open[1] ^ 1);
  }

  // The representative of all literals that are equal to this one: that of the variable with the smallest number.
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

  // Returns false if one is the negation of the other.
  bool merge(std::int32_t a, std::int32_t b) {
    a = representative(a), b = representative(b);
    if ((a >> 1) == (b >> 1)) return a == b;
    if (a > b) std::swap(a, b);
    parent_[b >> 1] = a ^ (b & 1);
    return true;
  }

 private:
  std::vector<std::int8_t> value_;
  std::vector<std::int32_t> parent_;  // variable -> literal it equals, itself when a root
};

}  // namespace treaty::graph
