// A random walk from a word to its head, to that head's head and so on, and its probabilities of reaching the root.
//
// Let w(h, m) be the probability that modifier m steps to head h. The probability that independent choices of a head
// for every word form a tree is det(I - w) (the matrix-tree theorem), and the share of these trees with the arc (h, m)
// is proportional to w(h, m) e(h, m), where e(h, m), the escape, is the probability that the walk from h reaches the
// root before it reaches m. In terms of the inverse of the Laplacian (Koo et al. 2007, Smith & Smith 2007), e(h, m) = 1
// - inverse(m, h) / inverse(m, m): the usual formula is this one with the subtraction, which loses all digits when
// heads and modifiers prefer each other in a cycle. Here nothing is subtracted, so every number has its full relative
// accuracy.
//
// Eliminating a word k reroutes the walk past it (Grassmann, Taksar & Heyman 1985):
//   w(h, m) += w(h, k) / d(k) * w(k, m),  d(k) = sum over h != k of w(h, k);
// and det(I - w) is the product of all d. For the escapes from m, all words but m must be eliminated. Halving does that
// for all m in O(n^3): eliminate one half of the words, solve for the other half, and vice versa.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "parse/log_number.hpp"

namespace treaty::parse {

template <class Number>
class HeadWalk {
 public:
  void resize(std::size_t words) {
    words_ = words;
    step_.resize((words + 1) * words);
    escape_.resize(words * words);
    coefficient_.resize(words);
    std::size_t depth = 0;
    for (auto size = words; size > 1; size -= size / 2, ++depth) {
      if (copy_.size() == depth) copy_.emplace_back();
      copy_[depth].resize((size + 1) * size);
    }
  }

  // Row 0 is that of the root, row h that of the h-th word as head; column m - 1 that of the m-th word. The cells of a
  // word with itself must be zero.
  Number* step_row(std::size_t head) { return step_.data() + head * words_; }
  // e(h, m) for words h and m as rows and columns from 0, after solve(); e(m, m) is 0.
  const Number* escape_row(std::size_t word) const { return escape_.data() + word * words_; }
  // The logarithm of det(I - w).
  double log_determinant() const { return log_determinant_; }

  // Returns false if some word cannot reach the root: there is no tree.
  bool solve() {
    log_determinant_ = 0.0;
    return escapes({step_.data(), words_, words_}, 0, 0, true);
  }

 private:
  static constexpr std::size_t kBlock = 8;  // words eliminated at once, for fewer passes over memory

  // Steps between words that are not yet eliminated: a row for the root, then one for each word.
  struct Steps {
    Number* first;
    std::size_t stride, words;
    Number* row(std::size_t head) const { return first + head * stride; }
  };

  // Escapes from all words of `steps`, which begin at word `first`, to each other. The determinant is computed along
  // one branch of the recursion.
  bool escapes(Steps steps, std::size_t first, std::size_t depth, bool counted) {
    if (steps.words == 1) {
      escape_[first * words_ + first] = Number{};
      if (counted) log_determinant_ += log_of(*steps.first);
      return log_of(*steps.first) > -std::numeric_limits<double>::infinity();
    }
    const auto front = steps.words - steps.words / 2, back = steps.words - front;
    return escapes_of_part(steps, first, 0, front, depth, counted) &&
           escapes_of_part(steps, first, front, back, depth, false);
  }

  // Solves for `kept` words from `begin` on; the others are eliminated.
  bool escapes_of_part(Steps steps, std::size_t first, std::size_t begin, std::size_t kept, std::size_t depth,
                       bool counted) {
    const auto rest = begin == 0 ? kept : 0;  // where the others begin
    const Steps copy{copy_[depth].data(), steps.words, steps.words};
    copy_kept_first(steps, begin, kept, rest, copy);
    if (!eliminate(copy, kept, counted)) return false;
    if (!escapes({copy.first, copy.stride, kept}, first + begin, depth + 1, counted)) return false;
    escapes_from_eliminated(copy, kept, first + begin, first + rest);
    return true;
  }

  static void copy_kept_first(Steps from, std::size_t begin, std::size_t kept, std::size_t rest, Steps to) {
    const auto others = from.words - kept;
    const auto copy_row = [&](std::size_t source, std::size_t target) {
      std::copy_n(from.row(source) + begin, kept, to.row(target));
      std::copy_n(from.row(source) + rest, others, to.row(target) + kept);
    };
    copy_row(0, 0);
    for (std::size_t i = 0; i < kept; ++i) copy_row(1 + begin + i, 1 + i);
    for (std::size_t i = 0; i < others; ++i) copy_row(1 + rest + i, 1 + kept + i);
  }

  // Eliminates all words but the first `kept`, the last first. Afterwards the column of an eliminated word
  // holds its distribution over the heads that were left.
  bool eliminate(Steps steps, std::size_t kept, bool counted) {
    for (auto end = steps.words; end > kept;) {
      const auto begin = end - std::min(kBlock, end - kept);
      for (auto word = end; word-- > begin;)
        if (!eliminate_in_block(steps, word, begin, counted)) return false;
      for (std::size_t head = 0; head <= begin; ++head)
        add_multiples(steps.row(head), steps.row(head) + begin, steps.row(begin + 1), steps.stride, end - begin, begin);
      end = begin;
    }
    return true;
  }

  // Reroutes steps to and from the block's words from `begin` on; the other steps are updated after the whole block.
  bool eliminate_in_block(Steps steps, std::size_t word, std::size_t begin, bool counted) {
    Number leaving{};
    for (std::size_t head = 0; head <= word; ++head) leaving = leaving + steps.row(head)[word];
    const double log_leaving = log_of(leaving);
    if (!(log_leaving > -std::numeric_limits<double>::infinity())) return false;
    if (counted) log_determinant_ += log_leaving;
    const Number* const from_word = steps.row(word + 1);
    for (std::size_t head = 0; head <= word; ++head) {
      Number* const row = steps.row(head);
      row[word] = row[word] / leaving;
      const auto waiting = head <= begin ? begin : 0;
      for (auto modifier = waiting; modifier < word; ++modifier)
        row[modifier] = row[modifier] + row[word] * from_word[modifier];
    }
    return true;
  }

  // Eliminated words step to the root (and have escaped), to kept words, or to words eliminated later.
  void escapes_from_eliminated(Steps steps, std::size_t kept, std::size_t first_kept, std::size_t first_rest) {
    for (auto word = kept; word < steps.words; ++word) {
      for (std::size_t head = 0; head < word; ++head) coefficient_[head] = steps.row(head + 1)[word];
      const auto later = word - kept;
      Number* const targets = &escape_[first_kept];  // the columns of the kept words
      Number* const out = targets + (first_rest + later) * words_;
      std::fill_n(out, kept, steps.row(0)[word]);
      add_multiples(out, coefficient_.data(), targets + first_kept * words_, words_, kept, kept);
      add_multiples(out, coefficient_.data() + kept, targets + first_rest * words_, words_, later, kept);
    }
  }

  // out += coefficient[0] * row 0 + coefficient[1] * row 1 + ...
  static void add_multiples(Number* __restrict out, const Number* coefficient, const Number* rows, std::size_t stride,
                            std::size_t count, std::size_t length) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      const Number a = coefficient[i], b = coefficient[i + 1], c = coefficient[i + 2], d = coefficient[i + 3];
      const Number *const row_a = rows + i * stride, *const row_b = row_a + stride, *const row_c = row_b + stride,
                          *const row_d = row_c + stride;
      for (std::size_t j = 0; j < length; ++j)
        out[j] = out[j] + ((a * row_a[j] + b * row_b[j]) + (c * row_c[j] + d * row_d[j]));
    }
    for (; i < count; ++i) {
      const Number a = coefficient[i];
      const Number* const row = rows + i * stride;
      for (std::size_t j = 0; j < length; ++j) out[j] = out[j] + a * row[j];
    }
  }

  std::size_t words_ = 0;
  std::vector<Number> step_, escape_, coefficient_;
  std::vector<std::vector<Number>> copy_;  // one per depth
  double log_determinant_ = 0.0;
};

}  // namespace treaty::parse
