// Phrases of many lists in one hash table, for longest matches in one pass over a text.
//
// Every prefix of a phrase, word by word, has its own entry, so that a search ends at the first prefix that no phrase
// has: for a text of n words with phrases of at most k words it takes n * k steps, independent of the number of
// phrases.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/hash.hpp"
#include "learn/host.hpp"

namespace treaty::label {

using features::combine, features::hash_of, features::mix;

class PhraseTable {
 public:
  static constexpr int kMostLists = 64;

  struct Match {
    std::int32_t list, start, end;
  };

  // A phrase is a string of words separated by single spaces.
  void add(int list, std::string_view phrase) {
    if (list < 0 || list >= kMostLists) throw std::invalid_argument("expected at most 64 lists of phrases");
    std::uint64_t hash = kStart;
    while (!phrase.empty()) {
      const auto space = phrase.find(' ');
      const auto word = phrase.substr(0, space);
      phrase.remove_prefix(space == std::string_view::npos ? phrase.size() : space + 1);
      if (word.empty()) continue;
      hash = next(hash, hash_of(word));
      insert(hash, phrase.empty() ? std::uint64_t{1} << list : 0);
    }
  }
  // An entry as returned by entries().
  void insert(std::uint64_t key, std::uint64_t lists) {
    if (!key) throw std::invalid_argument("no key of a phrase is zero");
    if (3 * (count_ + 1) > 2 * slots_.size()) grow();
    auto& slot = slots_[find(key)];
    if (!slot.key) slot.key = key, ++count_;
    slot.lists |= lists;
  }

  // The matches of each list from left to right, the longest of those with the same start; matches of one list do not
  // overlap. `words` are the hash_of() of the words.
  void match(std::span<const std::uint64_t> words, std::vector<Match>& found) const {
    if (slots_.empty()) return;
    std::array<std::int32_t, kMostLists> taken{}, longest;
    const auto size = static_cast<std::int32_t>(words.size());
    for (std::int32_t start = 0; start < size; ++start) {
      learn::check_interrupt(start);
      std::uint64_t seen = 0, hash = kStart;
      for (auto end = start; end < size; ++end) {
        hash = next(hash, words[end]);
        const auto& slot = slots_[find(hash)];
        if (!slot.key) break;
        for (auto lists = slot.lists; lists; lists &= lists - 1) longest[std::countr_zero(lists)] = end + 1;
        seen |= slot.lists;
      }
      for (; seen; seen &= seen - 1) {
        const int list = std::countr_zero(seen);
        if (start < taken[list]) continue;
        taken[list] = longest[list];
        found.push_back({list, start, longest[list]});
      }
    }
  }

  // The words of texts that are part of a phrase, and list * kMarks + mark for each; the words of text i begin at
  // begin[i].
  enum Mark : std::int32_t { kBegin, kInside, kEnd, kSingle, kMarks };
  struct Marked {
    std::vector<std::int32_t> words, codes;
  };
  Marked mark(std::span<const std::string> words, std::span<const std::int64_t> begin) const {
    std::vector<std::uint64_t> hashes;
    for (const auto& word : words) hashes.push_back(hash_of(word));
    Marked marked;
    std::vector<Match> found;
    for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
      const auto first = begin[i], last = begin[i + 1];
      if (first < 0 || first > last || last > std::ssize(hashes))
        throw std::invalid_argument("texts begin in order, within the words");
      found.clear();
      match(std::span(hashes).subspan(first, last - first), found);
      for (const auto& phrase : found)
        for (auto word = phrase.start; word < phrase.end; ++word) {
          marked.words.push_back(static_cast<std::int32_t>(first) + word);
          marked.codes.push_back(phrase.list * kMarks + mark_of(phrase, word));
        }
    }
    return marked;
  }

  std::size_t size() const { return count_; }
  // Keys and sets of lists (a bit each), sorted.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const auto& slot : slots_)
      if (slot.key) all.emplace_back(slot.key, slot.lists);
    std::ranges::sort(all);
    return all;
  }

 private:
  static constexpr std::uint64_t kStart = 0x243f6a8885a308d3u;
  struct Slot {
    std::uint64_t key = 0, lists = 0;
  };

  static Mark mark_of(const Match& match, std::int32_t word) {
    if (match.end - match.start == 1) return kSingle;
    return word == match.start ? kBegin : word + 1 == match.end ? kEnd : kInside;
  }
  // Zero marks an empty slot, so no key is zero.
  static std::uint64_t next(std::uint64_t hash, std::uint64_t word) {
    const auto key = mix(combine(hash, word));
    return key ? key : 1;
  }
  std::size_t find(std::uint64_t key) const {
    const auto last = slots_.size() - 1;
    auto place = key & last;
    while (slots_[place].key && slots_[place].key != key) place = (place + 1) & last;
    return place;
  }
  void grow() {
    auto old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    for (const auto& slot : old)
      if (slot.key) slots_[find(slot.key)] = slot;
  }

  std::vector<Slot> slots_;  // a power of two of them, open addressing
  std::size_t count_ = 0;
};

}  // namespace treaty::label
