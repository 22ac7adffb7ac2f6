// The modifiers of a head on one side, from the head outwards, with a score for every three consecutive ones
// (Martins, Almeida & Smith 2013, §3).
//
// shape = {modifiers M}; data = scores of three consecutive ones a < b < c in 0..M+1 (0 = START, M+1 = END; a first).
#pragma once

#include <algorithm>

#include "graph/maximum.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// Viterbi over triples of consecutive modifiers: O(M^3). The scores are used in place: the row of a pair (a, b) holds
// all c > b. Ties go to the neighbors nearest to the head, from the outermost modifier inwards; no modifier at all
// comes first.
class TriSiblingAutomatonOracle final : public Oracle {
 public:
  TriSiblingAutomatonOracle(std::span<const double> scores, std::span<const std::int32_t> shape)
      : scores_(scores.data()),
        end_(static_cast<std::size_t>(shape[0]) + 1),
        block_(end_),
        chart_(end_ * (end_ + 1)) {
    std::size_t block = 0;  // where the triples that start with a begin
    for (std::size_t a = 0; a < end_; ++a) {
      block_[a] = block - pairs_before(a + 1);
      block += (end_ - a) * (end_ - a - 1) / 2;
    }
  }

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    double top = 0.0;  // without modifiers
    std::size_t last = 0;
    std::ranges::copy(slot_score, chart_.begin() + 1);
    for (std::size_t b = 1; b < end_; ++b) {
      advance(b, slot_score);
      if (chart(b, end_) > top) top = chart(b, end_), last = b;
    }
    trace_back(last, best.on);
    best.score = evaluate(best.on);
  }

  double evaluate(std::span<const std::int32_t> on) override {
    double total = 0.0;
    std::size_t a = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const std::size_t b = position(on[i]), c = i + 1 < on.size() ? position(on[i + 1]) : end_;
      total += score(a, b, c);
      a = b;
    }
    return total;
  }

 private:
  static std::size_t position(std::int32_t slot) { return static_cast<std::size_t>(slot) + 1; }
  // How many pairs (b', c) there are with b' < b.
  std::size_t pairs_before(std::size_t b) const { return (b - 1) * end_ - b * (b - 1) / 2; }
  const double* row(std::size_t a, std::size_t b) const { return scores_ + (block_[a] + pairs_before(b)); }
  double score(std::size_t a, std::size_t b, std::size_t c) const { return row(a, b)[c - b - 1]; }
  double& chart(std::size_t b, std::size_t c) { return chart_[b * (end_ + 1) + c]; }
  double chart(std::size_t b, std::size_t c) const { return chart_[b * (end_ + 1) + c]; }

  // chart[b, c] = slot_score[c] + max_{a < b} chart[a, b] + score[a, b, c].
  void advance(std::size_t b, std::span<const double> slot_score) {
    std::size_t c = b + 1;
    for (; c + 3 <= end_; c += 4) reach<4>(b, c);
    if (c + 1 <= end_) reach<2>(b, c), c += 2;
    if (c <= end_) reach<1>(b, c);
    for (c = b + 1; c < end_; ++c) chart(b, c) += slot_score[c - 1];
  }

  // Only the maximum, for kWidth neighbors c that are kept in registers.
  template <std::size_t kWidth>
  void reach(std::size_t b, std::size_t c) {
    double best[kWidth];
    std::fill_n(best, kWidth, -kInfinity);
    const double* const scores = scores_ + pairs_before(b) + (c - b - 1);
    for (std::size_t a = 0; a < b; ++a) {
      const double* const row = scores + block_[a];
      const double before = chart(a, b);
      for (std::size_t k = 0; k < kWidth; ++k) {
        const double value = before + row[k];
        best[k] = value > best[k] ? value : best[k];
      }
    }
    std::copy_n(best, kWidth, &chart(b, c));
  }

  void trace_back(std::size_t b, std::vector<std::int32_t>& on) const {
    on.clear();
    for (std::size_t c = end_; b > 0;) {
      on.push_back(static_cast<std::int32_t>(b - 1));
      const std::size_t a = best_before(b, c);
      c = b, b = a;
    }
    std::ranges::reverse(on);
  }

  std::size_t best_before(std::size_t b, std::size_t c) const {
    double top = -kInfinity;
    std::size_t best = 0;
    for (std::size_t a = 0; a < b; ++a) {
      const double value = chart(a, b) + score(a, b, c);
      if (value > top) top = value, best = a;
    }
    return best;
  }

  const double* scores_;
  std::size_t end_;                 // positions: 0 = START, the modifiers, end_ = END
  std::vector<std::size_t> block_;  // of a, less pairs_before(a + 1); it may wrap around, the sum does not
  std::vector<double> chart_;       // the best start of a configuration up to the neighbors b, c
};

struct TriSiblingAutomaton : Structured {
  static constexpr const char* name = "tri_sibling_automaton";
  static constexpr bool may_forbid = true;
  static void check(const Arguments& arguments) {
    arguments.require_length("size (modifiers)", arguments.shape.size(), 1);
    if (arguments.shape[0] < 0) arguments.refuse("the number of modifiers must not be negative");
    const auto modifiers = static_cast<std::size_t>(arguments.shape[0]);
    arguments.require_few();
    arguments.require_length("modifiers", arguments.literals.size(), modifiers);
    arguments.require_length("scores of three consecutive modifiers", arguments.data.size(),
                             (modifiers + 1) * (modifiers + 2) / 2 * modifiers / 3);
    arguments.require_scores();
  }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<TriSiblingAutomatonOracle>(factor.data, factor.shape);
  }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    const std::size_t end = static_cast<std::size_t>(factor.shape[0]) + 1;
    std::size_t a = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const std::size_t b = static_cast<std::size_t>(on[i]) + 1;
      const std::size_t c = i + 1 < on.size() ? static_cast<std::size_t>(on[i + 1]) + 1 : end;
      std::size_t cell = 0;
      for (std::size_t first = 0; first < a; ++first) cell += (end - first) * (end - first - 1) / 2;
      for (std::size_t second = a + 1; second < b; ++second) cell += end - second;
      see(cell + c - b - 1);
      a = b;
    }
  }
};

}  // namespace treaty::graph
