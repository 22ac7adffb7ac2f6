// Kinds of factors: the label patterns that the factors of a kind score, and those that are forbidden.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace treaty::label {

class Kind {
 public:
  // `patterns` and `forbidden` are flat: `size` labels each. `tied`: all patterns have the same weight.
  Kind(std::int32_t labels, std::int32_t size, std::vector<std::int32_t> patterns, std::vector<std::int32_t> forbidden,
       bool tied = false);

  std::int32_t size() const { return size_; }
  std::int32_t patterns() const { return static_cast<std::int32_t>(order_.size()); }
  std::span<const std::int32_t> pattern(std::int32_t p) const { return labels_of(patterns_, p); }
  std::int32_t forbidden() const { return static_cast<std::int32_t>(forbidden_.size()) / size_; }
  std::span<const std::int32_t> forbidden(std::int32_t p) const { return labels_of(forbidden_, p); }
  // A row of weights has one for each pattern, or one for all of them.
  std::int32_t columns() const { return tied_ ? std::min(1, patterns()) : patterns(); }
  std::int32_t column(std::int32_t p) const { return tied_ ? 0 : p; }
  bool tied() const { return tied_; }
  // Whether the patterns are all combinations, with the last label changing fastest: their scores are a table.
  bool dense() const { return dense_; }

  // The index of the pattern of a factor's vertices, given the labels of all vertices; -1 if there is none.
  std::int32_t find(std::span<const std::int32_t> vertices, std::span<const std::int32_t> labels) const;
  bool forbids(std::span<const std::int32_t> pattern) const;

 private:
  std::span<const std::int32_t> labels_of(const std::vector<std::int32_t>& flat, std::int32_t p) const {
    return std::span(flat).subspan(static_cast<std::size_t>(p) * size_, size_);
  }

  std::int32_t labels_, size_;
  std::vector<std::int32_t> patterns_, forbidden_;
  std::vector<std::int32_t> order_;  // patterns in lexicographic order, for the search
  bool dense_ = false, tied_ = false;
};

}  // namespace treaty::label
