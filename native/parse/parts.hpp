// The parts of a sentence's trees (Martins, Almeida & Smith 2013, figure 1; non-projective arcs and directed paths:
// Martins, Smith & Xing 2009), numbered so that the scores of one factor are contiguous and in the order that the
// factor expects (see the factors' headers in native/graph).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parse/arcs.hpp"

namespace treaty::parse {

enum Family : int {
  kArc,
  kSibling,
  kGrandparent,
  kGrandSibling,
  kTriSibling,
  kArbitrarySibling,
  kHeadBigram,
  kNonProjective,
  kPath,
  kFamilies
};

// Which families a model has.
struct Order {
  bool has[kFamilies] = {true};
  bool automata() const { return has[kSibling] || has[kGrandparent] || has[kGrandSibling]; }
  bool first() const {
    return !automata() && !has[kTriSibling] && !has[kArbitrarySibling] && !has[kHeadBigram] && !paths();
  }
  bool paths() const { return has[kNonProjective] || has[kPath]; }  // needs to know who dominates whom
};

// The modifiers of one head on one side, and where their parts begin; -1 where the model has none. Among siblings
// 0 is START, 1..M are the candidate modifiers from the head outwards, M + 1 is END.
struct Side {
  int head;
  bool right;
  int begin, end;  // in Parts::outward
  int incoming;    // the head's first incoming arc; `grandparents` of them follow each other
  int grandparents;
  std::int32_t grandparent = -1, sibling = -1, grand_sibling = -1, tri_sibling = -1;

  int modifiers() const { return end - begin; }
  int pairs() const { return (modifiers() + 2) * (modifiers() + 1) / 2; }
  int triples() const { return pairs() * modifiers() / 3; }
  // The index of a pair a < b, and of a triple a < b < c, among all of them in lexicographic order.
  int pair(int a, int b) const {
    const int n = modifiers() + 2;
    return a * (2 * n - a - 1) / 2 + b - a - 1;
  }
  int triple(int a, int b, int c) const {
    const int n = modifiers() + 2;
    const auto choose3 = [](int k) { return k * (k - 1) * (k - 2) / 6; };
    const auto choose2 = [](int k) { return k * (k - 1) / 2; };
    return choose3(n) - choose3(n - a) + choose2(n - a - 1) - choose2(n - b) + c - b - 1;
  }
};

class Parts {
 public:
  // Lists the parts of all trees over these arcs. The arcs must outlive it.
  void list(const Arcs& arcs, const Order& order);
  // The parts of a tree, ascending within each family; every arc of it must be a candidate. head[0] is ignored.
  void of_tree(std::span<const std::int32_t> head, std::vector<std::int32_t>& parts);

  const Arcs& arcs() const { return *arcs_; }
  const Order& order() const { return order_; }
  std::int32_t size() const { return size_; }
  const std::vector<Side>& sides() const { return sides_; }
  std::span<const std::int32_t> outward(const Side& side) const {
    return std::span(outward_).subspan(side.begin, side.end - side.begin);
  }
  // Arcs that leave a head, in the order of the sentence.
  std::span<const std::int32_t> leaving(int head) const {
    return std::span(leaving_).subspan(leaving_begin_[head], leaving_begin_[head + 1] - leaving_begin_[head]);
  }
  std::int32_t arbitrary_siblings(int head) const { return arbitrary_begin_[head]; }
  // The parts of words m and m - 1, a table with m - 1's heads as rows; the tables are contiguous. The sequence's start
  // scores, which are zero, come before the first table and its stop scores after the last.
  std::int32_t head_bigrams(int m) const { return bigram_begin_[m]; }
  std::int32_t sequence_begin() const { return sequence_begin_; }
  std::int32_t sequence_end() const { return sequence_end_; }
  // A part for every arc that is on though some word in between does not descend from its head; -1 if there are none.
  std::int32_t non_projective(int arc) const { return crossing_begin_ < 0 ? -1 : crossing_begin_ + arc; }
  // A part for every word and each of the words it descends from; -1 if there are none.
  std::int32_t path(int ancestor, int word) const {
    return path_begin_ < 0 ? -1 : path_begin_ + (ancestor - 1) * arcs_->words + word - 1;
  }

 private:
  void list_sides();
  void list_pairs();
  void list_paths();
  void paths_of_tree(std::span<const std::int32_t> head, std::vector<std::int32_t>& parts) const;

  const Arcs* arcs_ = nullptr;
  Order order_;
  std::int32_t size_ = 0;
  std::vector<Side> sides_;
  std::vector<std::int32_t> outward_, leaving_, leaving_begin_, arbitrary_begin_, bigram_begin_;
  std::int32_t sequence_begin_ = 0, sequence_end_ = 0, crossing_begin_ = -1, path_begin_ = -1;
  std::vector<std::int32_t> on_;  // scratch
};

}  // namespace treaty::parse
