#include "label/kinds.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace treaty::label {
namespace {

void check(const std::vector<std::int32_t>& flat, std::int32_t labels, std::int32_t size) {
  if (flat.size() % static_cast<std::size_t>(size) != 0) throw std::invalid_argument("expected patterns of the same size");
  for (auto label : flat)
    if (label < 0 || label >= labels) throw std::invalid_argument("a label of a pattern is out of range");
}

// Whether a pattern comes before that of the vertices (-1), is the same (0) or comes after (1).
int compare(std::span<const std::int32_t> pattern, std::span<const std::int32_t> vertices,
            std::span<const std::int32_t> labels) {
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (const auto label = labels[vertices[i]]; pattern[i] != label) return pattern[i] < label ? -1 : 1;
  return 0;
}

}  // namespace

Kind::Kind(std::int32_t labels, std::int32_t size, std::vector<std::int32_t> patterns,
           std::vector<std::int32_t> forbidden, bool tied)
    : labels_(labels), size_(size), patterns_(std::move(patterns)), forbidden_(std::move(forbidden)), tied_(tied) {
  if (size < 1) throw std::invalid_argument("the patterns of a kind must have at least one label");
  check(patterns_, labels, size);
  check(forbidden_, labels, size);
  order_.resize(patterns_.size() / static_cast<std::size_t>(size));
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::sort(order_, [&](auto p, auto q) { return std::ranges::lexicographical_compare(pattern(p), pattern(q)); });
  for (std::size_t i = 1; i < order_.size(); ++i)
    if (std::ranges::equal(pattern(order_[i - 1]), pattern(order_[i])))
      throw std::invalid_argument("a kind has the same pattern twice");
  std::size_t all = 1;
  for (std::int32_t i = 0; i < size && all <= order_.size(); ++i) all *= static_cast<std::size_t>(labels);
  dense_ = all == order_.size() && std::ranges::is_sorted(order_);
}

std::int32_t Kind::find(std::span<const std::int32_t> vertices, std::span<const std::int32_t> labels) const {
  if (dense_) {
    std::int32_t p = 0;
    for (auto v : vertices) p = p * labels_ + labels[v];
    return p;
  }
  const auto at = std::ranges::partition_point(
      order_, [&](std::int32_t p) { return compare(pattern(p), vertices, labels) < 0; });
  return at != order_.end() && compare(pattern(*at), vertices, labels) == 0 ? *at : -1;
}

bool Kind::forbids(std::span<const std::int32_t> given) const {
  for (std::int32_t p = 0; p < forbidden(); ++p)
    if (std::ranges::equal(forbidden(p), given)) return true;
  return false;
}

}  // namespace treaty::label
