// The candidate arcs of a sentence: nodes 1..words are its words, node 0 is the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace treaty::parse {

struct Arcs {
  int words = 0;
  std::vector<std::int32_t> head, modifier;  // sorted by modifier, then head
  std::vector<double> marginal;              // the pruner's marginal of each; 0 if unknown
  std::vector<std::int32_t> begin;           // arcs of modifier m: begin[m] to begin[m + 1]; begin[0] = begin[1]

  int size() const { return static_cast<int>(head.size()); }
  int heads_of(int m) const { return begin[m + 1] - begin[m]; }
  void reset(int n) {
    words = n;
    head.clear();
    modifier.clear();
    marginal.clear();
    begin.assign(1, 0);
  }
  // Arcs are added modifier by modifier, in order; `close` ends a modifier (node 0 first).
  void add(int h, int m, double p = 0.0) {
    head.push_back(h);
    modifier.push_back(m);
    marginal.push_back(p);
  }
  void close() { begin.push_back(size()); }
  // The arc's index, -1 if it is not a candidate.
  int find(int h, int m) const {
    const auto first = head.begin() + begin[m], last = head.begin() + begin[m + 1];
    const auto at = std::lower_bound(first, last, h);
    return at != last && *at == h ? static_cast<int>(at - head.begin()) : -1;
  }
};

// The shape of the arborescence factor over the candidates (see graph/arborescence.hpp).
inline std::vector<std::int32_t> tree_shape(const Arcs& arcs, bool single_root) {
  std::vector<std::int32_t> shape{arcs.words + 1, single_root};
  for (int a = 0; a < arcs.size(); ++a) {
    shape.push_back(arcs.head[a]);
    shape.push_back(arcs.modifier[a]);
  }
  return shape;
}

// Adds arcs (head, modifier, head, modifier...) to the candidates; returns how many of them were candidates before.
inline int insert_arcs(std::span<const std::int32_t> pairs, Arcs& arcs) {
  struct Entry {
    std::int32_t modifier, head;
    double marginal;
  };
  std::vector<Entry> all;
  for (int a = 0; a < arcs.size(); ++a) all.push_back({arcs.modifier[a], arcs.head[a], arcs.marginal[a]});
  int found = 0;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const bool there = arcs.find(pairs[i], pairs[i + 1]) >= 0;
    found += there;
    if (!there) all.push_back({pairs[i + 1], pairs[i], 0.0});
  }
  const auto place = [](const Entry& entry) { return std::pair(entry.modifier, entry.head); };
  std::ranges::stable_sort(all, {}, place);
  const auto same = [&](const Entry& a, const Entry& b) { return place(a) == place(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  arcs.reset(arcs.words);
  arcs.close();
  auto entry = all.begin();
  for (int m = 1; m <= arcs.words; ++m, arcs.close())
    for (; entry != all.end() && entry->modifier == m; ++entry) arcs.add(entry->head, m, entry->marginal);
  return found;
}

inline int insert_tree(std::span<const std::int32_t> head, Arcs& arcs) {
  std::vector<std::int32_t> pairs;
  for (int m = 1; m <= arcs.words; ++m) pairs.insert(pairs.end(), {head[m], m});
  return insert_arcs(pairs, arcs);
}

}  // namespace treaty::parse
