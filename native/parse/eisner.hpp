// The best projective tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::parse {

// Eisner's (1996) algorithm over spans with the head at one end. Reuse one object for many sentences: it keeps its
// memory.
class Eisner {
 public:
  // Scores as in MatrixTree: (words + 1) x (words + 1), rows are heads, node 0 is the root, -inf: no such arc. Sets
  // head[1..words] and head[0] = -1, and returns the tree's score; -inf, and -1 for all heads, if there is no
  // projective tree. With a single root exactly one arc leaves node 0. O(words^3). Ties go to the leftmost split of a
  // span.
  double best(int words, std::span<const double> score, bool single_root, std::span<std::int32_t> head);

 private:
  // Spans of nodes first..last. A complete one has all modifiers of its head; an open one ends at a
  // modifier that still lacks those on its far side. The head is on the named side.
  enum class Span : std::uint8_t { kLeftHead, kRightHead, kLeftHeadOpen, kRightHeadOpen };
  struct Item {
    Span span;
    std::size_t first, last;
  };

  void fill_chart(std::span<const double> score);
  void set_open(std::size_t first, std::size_t last, std::span<const double> score);
  void set_complete(std::size_t first, std::size_t last);
  void read_heads(std::span<std::int32_t> head);
  std::size_t inner_splits(std::size_t first, std::size_t last) const;
  std::size_t cell(std::size_t row, std::size_t column) const { return row * nodes_ + column; }

  std::size_t nodes_ = 0;
  bool single_root_ = false;
  // Splits of a span run along rows in memory: charts by (first, last), and by (last, first) with "_at".
  std::vector<double> left_head_, left_head_at_, right_head_, right_head_at_, left_open_, right_open_at_;
  std::vector<Item> agenda_;
};

}  // namespace treaty::parse
