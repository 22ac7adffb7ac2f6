// A chain of categorical variables with scores for its start, its transitions and its stop.
//
// shape = cardinalities; literals = states in order; data = start, then the table of each edge, then stop.
#pragma once

#include <algorithm>

#include "graph/maximum.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// Viterbi. Backtracking compares values again instead of storing backpointers: that costs one column per position and
// keeps indices out of the forward loop.
class SequenceOracle final : public Oracle {
 public:
  SequenceOracle(std::span<const double> scores, std::span<const std::int32_t> cardinalities)
      : cardinalities_(cardinalities) {
    const auto length = cardinalities.size();
    std::size_t slot = 0, cell = card(0);
    for (std::size_t i = 0; i < length; ++i) {
      first_slot_.push_back(slot);
      slot += card(i);
      if (i == 0) continue;
      edges_.push_back(&scores[cell]);
      cell += card(i - 1) * card(i);
    }
    start_ = scores.first(card(0));
    stop_ = scores.last(card(length - 1));
    incoming_.resize(slot);
    forward_.resize(slot);
  }

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    for (std::size_t a = 0; a < start_.size(); ++a) forward_[a] = start_[a] + slot_score[a];
    for (std::size_t i = 1; i < first_slot_.size(); ++i) advance(i, slot_score);

    const std::size_t last = first_slot_.back();
    double top = -kInfinity;
    std::size_t state = 0;
    for (std::size_t a = 0; a < stop_.size(); ++a) {
      const double value = forward_[last + a] + stop_[a];
      if (value > top) top = value, state = a;
    }
    if (top == -kInfinity) return set_infeasible(best);
    trace_back(state, best.on);
    best.score = evaluate(best.on);
  }

  double evaluate(std::span<const std::int32_t> on) override {
    if (on.size() != first_slot_.size()) return -kInfinity;
    double score = 0.0;
    std::size_t before = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const auto slot = static_cast<std::size_t>(on[i]);
      if (slot < first_slot_[i] || slot >= first_slot_[i] + card(i)) return -kInfinity;
      const std::size_t state = slot - first_slot_[i];
      score += i == 0 ? start_[state] : edges_[i - 1][before * card(i) + state];
      before = state;
    }
    return score + stop_[before];
  }

 private:
  std::size_t card(std::size_t i) const { return static_cast<std::size_t>(cardinalities_[i]); }

  // forward[i][b] = incoming[i][b] + slot_score[i][b], incoming[i][b] = max_a forward[i-1][a] + edge[a][b].
  void advance(std::size_t i, std::span<const double> slot_score) {
    const std::size_t first = first_slot_[i], width = card(i);
    const double* const before = &forward_[first_slot_[i - 1]];
    const auto incoming = std::span(incoming_).subspan(first, width);
    std::ranges::fill(incoming, -kInfinity);
    for (std::size_t a = 0; a < card(i - 1); ++a) raise_to(incoming, edges_[i - 1] + a * width, before[a]);
    for (std::size_t b = 0; b < width; ++b) forward_[first + b] = incoming[b] + slot_score[first + b];
  }

  void trace_back(std::size_t state, std::vector<std::int32_t>& on) const {
    on.resize(first_slot_.size());
    for (std::size_t i = first_slot_.size(); i-- > 0;) {
      on[i] = static_cast<std::int32_t>(first_slot_[i] + state);
      if (i == 0) return;
      const double* const before = &forward_[first_slot_[i - 1]];
      const double* const edge = edges_[i - 1] + state;
      const double reached = incoming_[first_slot_[i] + state];
      const std::size_t width = card(i);
      state = place_of(reached, card(i - 1),
                       [=](std::size_t a) { return before[a] + edge[a * width]; });
    }
  }

  std::span<const std::int32_t> cardinalities_;
  std::span<const double> start_, stop_;
  std::vector<const double*> edges_;
  std::vector<std::size_t> first_slot_;
  std::vector<double> incoming_, forward_;
};

struct Sequence : OverStates {
  static constexpr const char* name = "sequence";
  static constexpr bool may_forbid = true;
  static void check(const Arguments& arguments) {
    arguments.require_states();
    const auto card = [&](std::size_t i) { return static_cast<std::size_t>(arguments.shape[i]); };
    const auto length = arguments.shape.size();
    auto cells = card(0) + card(length - 1);
    for (std::size_t i = 0; i + 1 < length; ++i) cells += card(i) * card(i + 1);
    arguments.require_length("scores (start, edges, stop)", arguments.data.size(), cells);
    arguments.require_scores();
  }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<SequenceOracle>(factor.data, factor.shape);
  }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    use(factor.shape, on, see);
  }
  template <class See>
  static void use(std::span<const std::int32_t> cardinalities, std::span<const std::int32_t> on, See see) {
    std::size_t slot = 0, cell = 0, before = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const auto states = static_cast<std::size_t>(cardinalities[i]), state = static_cast<std::size_t>(on[i]) - slot;
      see(cell + before * states + state);
      cell += i == 0 ? states : static_cast<std::size_t>(cardinalities[i - 1]) * states;
      slot += states;
      before = state;
    }
    see(cell + before);
  }
};

}  // namespace treaty::graph
