// Who descends from whom in a tree: head[m] is the head of word m, 0 is the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace treaty::parse {

// Whether `word` is `ancestor` or one of its descendants.
inline bool descends(std::span<const std::int32_t> head, int word, int ancestor) {
  while (word > 0 && word != ancestor) word = head[word];
  return word == ancestor;
}

// Whether all words between m and its head descend from the head.
inline bool is_projective(std::span<const std::int32_t> head, int m) {
  const int h = head[m];
  if (h == 0) return true;
  for (int between = std::min(h, m) + 1; between < std::max(h, m); ++between)
    if (!descends(head, between, h)) return false;
  return true;
}

}  // namespace treaty::parse
