// The best compression of a sentence, by dynamic programming over its dependency tree (Almeida & Martins 2013, eq. 8).
//
// A word that is cut while its head is kept scores `cut`; one that is kept while its head is cut scores `lift`, which
// the paper forbids (minus infinity) and which allows a subordinate clause to stand alone; one that is kept scores
// `keep`. The dummy symbol above the root is kept, and so is at least one word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace treaty::summarize {

class TreeCompressor {
 public:
  struct Scores {
    std::span<const double> keep, cut, lift;
  };

  // Heads are positions in the sentence, -1 for the dummy symbol. Writes 1 for words that are kept; returns the score.
  // Ties are resolved by cutting.
  double maximize(std::span<const std::int32_t> head, const Scores& scores, std::span<std::uint8_t> kept) {
    start(head);
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) weigh(*node, scores);
    const auto top = static_cast<std::int32_t>(head.size());
    decide(top, State::On, true, scores);
    for (const auto node : order_) {
      const auto state = state_[at(node)];
      kept[at(node)] = state == State::On;
      decide(node, state, state == State::Filled, scores);
    }
    return below_on_[at(top)] + shortfall_on_[at(top)];
  }

 private:
  enum class State : std::uint8_t { Off, On, Filled };  // Filled: off, with a word below it that is kept
  static constexpr double kNever = -std::numeric_limits<double>::infinity();

  static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }

  // Parents before children; the dummy symbol is the node after the last.
  void start(std::span<const std::int32_t> head) {
    const auto n = head.size();
    parent_.resize(n + 1);
    first_child_.assign(n + 1, -1);
    next_sibling_.assign(n + 1, -1);
    below_on_.assign(n + 1, 0.0);
    below_off_.assign(n + 1, 0.0);
    shortfall_on_.assign(n + 1, kNever);
    shortfall_off_.assign(n + 1, kNever);
    state_.assign(n + 1, State::Off);
    for (std::size_t i = n; i-- > 0;) {
      parent_[i] = head[i] < 0 ? static_cast<std::int32_t>(n) : head[i];
      next_sibling_[i] = std::exchange(first_child_[at(parent_[i])], static_cast<std::int32_t>(i));
    }
    order_.clear();
    push_children(static_cast<std::int32_t>(n));
    for (std::size_t done = 0; done < order_.size(); ++done) push_children(order_[done]);
    if (order_.size() != n) throw std::invalid_argument("the heads of a sentence do not form a tree");
  }
  void push_children(std::int32_t node) {
    for (auto child = first_child_[at(node)]; child >= 0; child = next_sibling_[at(child)]) order_.push_back(child);
  }

  // The value of a node in each state; children come first. `below_…` of a node is the sum of the best values of its
  // children if it is on or off, `shortfall_…` the minimum loss if a word below it must be kept.
  double on(std::int32_t node, const Scores& s) const { return s.keep[at(node)] + below_on_[at(node)]; }
  double off(std::int32_t node) const { return below_off_[at(node)]; }
  double filled(std::int32_t node) const { return below_off_[at(node)] + shortfall_off_[at(node)]; }

  void weigh(std::int32_t node, const Scores& s) {
    const auto parent = at(parent_[at(node)]);
    const double stays = on(node, s), lifted = stays + s.lift[at(node)];
    const double beside_on = std::max(stays, off(node) + s.cut[at(node)]);
    const double beside_off = std::max(lifted, off(node));
    below_on_[parent] += beside_on;
    below_off_[parent] += beside_off;
    const double filled_on = std::max(stays, filled(node) + s.cut[at(node)]) - beside_on;
    const double filled_off = std::max(lifted, filled(node)) - beside_off;
    shortfall_on_[parent] = std::max(shortfall_on_[parent], filled_on);
    shortfall_off_[parent] = std::max(shortfall_off_[parent], filled_off);
  }

  // Gives the children of a node their best states; with `must_fill`, the first child with the least loss has a word
  // that is kept.
  void decide(std::int32_t node, State state, bool must_fill, const Scores& s) {
    const bool is_on = state == State::On;
    const double least = is_on ? shortfall_on_[at(node)] : shortfall_off_[at(node)];
    for (auto child = first_child_[at(node)]; child >= 0; child = next_sibling_[at(child)]) {
      const double stays = on(child, s) + (is_on ? 0.0 : s.lift[at(child)]);
      const double cut = is_on ? s.cut[at(child)] : 0.0;
      const double best = std::max(stays, off(child) + cut);
      const double best_filled = std::max(stays, filled(child) + cut);
      state_[at(child)] = stays > off(child) + cut ? State::On : State::Off;
      if (must_fill && best_filled - best == least) {
        state_[at(child)] = stays >= filled(child) + cut ? State::On : State::Filled;
        must_fill = false;
      }
    }
  }

  std::vector<std::int32_t> parent_, first_child_, next_sibling_, order_;
  std::vector<double> below_on_, below_off_, shortfall_on_, shortfall_off_;
  std::vector<State> state_;
};

// The best compressions of many sentences: the words of sentence s begin at begin[s]. Heads are indices among all
// words, negative for the dummy symbol.
struct Compressions {
  std::vector<std::uint8_t> kept;
  std::vector<double> scores;
};
Compressions compress_trees(std::span<const std::int64_t> begin, std::span<const std::int32_t> head,
                            const TreeCompressor::Scores& scores);

}  // namespace treaty::summarize
