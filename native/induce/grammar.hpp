// The dependency model with valence (Klein & Manning 2004) in the notation of Gormley & Eisner (2013, section 2): the
// layout of its features in one flat array, and a corpus of tag sequences.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace treaty::induce {

enum Direction { kLeft = 0, kRight = 1 };
enum Valence { kFirst = 0, kLater = 1 };  // no child on this side so far, or at least one
enum Decision { kStop = 0, kContinue = 1 };

// The indices of the features: root[tag], child[head][direction][tag], decision[head][direction][valence][decision].
struct Layout {
  int tags = 0;

  int size() const { return tags + 2 * tags * tags + 8 * tags; }
  int root(int tag) const { return tag; }
  int child(int head, int direction, int tag) const { return tags + (2 * head + direction) * tags + tag; }
  int decision(int head, int direction, int valence, int what) const {
    return tags + 2 * tags * tags + 8 * head + 4 * direction + 2 * valence + what;
  }
};

// A conditional distribution: `size` features in a row from `first`.
struct Distribution {
  int first;
  int size;
};

inline std::vector<Distribution> distributions(const Layout& layout) {
  std::vector<Distribution> all{{layout.root(0), layout.tags}};
  for (int side = 0; side < 2 * layout.tags; ++side)
    all.push_back({layout.child(0, 0, 0) + side * layout.tags, layout.tags});
  for (int coin = 0; coin < 4 * layout.tags; ++coin) all.push_back({layout.decision(0, 0, 0, 0) + 2 * coin, 2});
  return all;
}

// Sentences of tags, each with the number of times it occurs.
struct Corpus {
  // Throws std::invalid_argument if a sentence has no tokens, no copies, or unknown tags.
  void check() const;

  Layout layout;
  std::vector<std::int32_t> tokens;  // of all sentences, concatenated
  std::vector<std::int64_t> begin;   // where they begin, and the end of the last
  std::vector<double> copies;

  int size() const { return static_cast<int>(begin.size()) - 1; }
  int length(int s) const { return static_cast<int>(begin[s + 1] - begin[s]); }
  std::span<const std::int32_t> sentence(int s) const { return std::span(tokens).subspan(begin[s], length(s)); }
};

inline void Corpus::check() const {
  if (layout.tags < 1 || begin.empty() || begin.front() != 0 ||
      begin.back() != static_cast<std::int64_t>(tokens.size()) || copies.size() + 1 != begin.size())
    throw std::invalid_argument("sentences that do not fit their tokens");
  for (int s = 0; s < size(); ++s)
    if (begin[s + 1] <= begin[s] || !(copies[s] > 0.0))
      throw std::invalid_argument("a sentence without tokens or copies");
  for (auto tag : tokens)
    if (tag < 0 || tag >= layout.tags) throw std::invalid_argument("a tag that is not there");
}

// Adds the features of a tree, `times` times. Heads are positions from 1; 0 is the root. `children` is scratch space of
// two numbers per token.
inline void count_tree(const Layout& layout, std::span<const std::int32_t> sentence,
                       std::span<const std::int32_t> heads, double times, std::span<std::int32_t> children,
                       std::span<double> counts) {
  const int n = static_cast<int>(sentence.size());
  for (int i = 0; i < 2 * n; ++i) children[i] = 0;
  for (int j = 0; j < n; ++j) {
    if (heads[j] == 0) {
      counts[layout.root(sentence[j])] += times;
      continue;
    }
    const int i = heads[j] - 1, direction = j < i ? kLeft : kRight;
    counts[layout.child(sentence[i], direction, sentence[j])] += times;
    ++children[2 * i + direction];
  }
  for (int i = 0; i < n; ++i)
    for (int direction : {kLeft, kRight}) {  // eqs. 12-16
      const int some = children[2 * i + direction];
      if (some == 0) {
        counts[layout.decision(sentence[i], direction, kFirst, kStop)] += times;
        continue;
      }
      counts[layout.decision(sentence[i], direction, kFirst, kContinue)] += times;
      counts[layout.decision(sentence[i], direction, kLater, kContinue)] += times * (some - 1);
      counts[layout.decision(sentence[i], direction, kLater, kStop)] += times;
    }
}

}  // namespace treaty::induce
