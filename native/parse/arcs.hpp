// The candidate arcs of a sentence: nodes 1..words are its words, node 0 is the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace treaty::parse {

struct Arcs {
  int words = 0;
  std::vector<std::int32_t> head, modifier;  // sorted by modifier, then head
  std::vector<std::int32_t> begin;           // arcs of modifier m: begin[m] to begin[m + 1]; begin[0] = begin[1]

  int size() const { return static_cast<int>(head.size()); }
  int heads_of(int m) const { return begin[m + 1] - begin[m]; }
  void reset(int n) {
    words = n;
    head.clear();
    modifier.clear();
    begin.assign(1, 0);
  }
  // Arcs are added modifier by modifier, in order; `close` ends a modifier (node 0 first).
  void add(int h, int m) {
    head.push_back(h);
    modifier.push_back(m);
  }
  void close() { begin.push_back(size()); }
  // The arc's index, -1 when it is no candidate.
  int find(int h, int m) const {
    const auto first = head.begin() + begin[m], last = head.begin() + begin[m + 1];
    const auto at = std::lower_bound(first, last, h);
    return at != last && *at == h ? static_cast<int>(at - head.begin()) : -1;
  }
};

}  // namespace treaty::parse
