// The best labels of a random forest of vertices while all others keep theirs, by dynamic programming (Hamze & de
// Freitas 2004). No two vertices of the forest share a score unless they are joined in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/patterns/labeling.hpp"

namespace treaty::solve {

// Small and the same everywhere (Steele, Lea & Flood 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed = 1) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::int32_t below(std::int64_t n) { return static_cast<std::int32_t>((*this)() % static_cast<std::uint64_t>(n)); }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (auto i = items.size(); i > 1; --i) std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
  }

 private:
  std::uint64_t state_;
};

class TreeMove {
 public:
  struct Move {
    std::int32_t vertex, from;
  };

  explicit TreeMove(Labeling& labeling);

  // Moves a forest in a region of vertices that have a choice to its best labels; a breach costs `price`. Appends to
  // the journal, and takes the states looked at from the budget.
  void run(std::span<const std::int32_t> region, double price, SplitMix& random, std::vector<Move>& journal,
           std::int64_t& budget);

 private:
  void grow(std::span<const std::int32_t> region, SplitMix& random);
  void add(std::int32_t v, std::int32_t parent);
  void gather(double price, std::int64_t& budget);
  void pass_up(SplitMix& random);
  void pass_down(std::vector<Move>& journal, std::int64_t& budget);

  Labeling& labeling_;
  std::vector<std::uint8_t> inside_;        // the region
  std::vector<std::int32_t> met_, parent_;  // neighbors in the forest, one of them; by vertex
  std::vector<std::int32_t> place_;         // in the forest, or -1
  std::vector<std::int32_t> order_, queue_;
  std::vector<std::int32_t> forest_, above_;  // vertices, parents before children; the parent's place
  std::vector<std::int64_t> theta_begin_, pair_begin_;
  std::vector<double> theta_, pair_;
  std::vector<std::int32_t> choice_begin_, choice_;  // the best label for each label of the parent
};

}  // namespace treaty::solve
