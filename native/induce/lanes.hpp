// The best score of a sentence under several sets of weights at once. All lanes take the same steps, so a pass costs
// little more than for one of them; the search needs trees only for the nodes that it expands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/grammar.hpp"

namespace treaty::induce {

inline constexpr int kLanes = 8;

// One number for each lane, four per register (a vector extension of GCC and Clang, which falls back to plain
// operations where there are no such registers). Single precision: see `relative_error`.
struct Lanes {
  typedef float Four __attribute__((vector_size(16)));
  static constexpr int kFours = kLanes / 4;
  Four four[kFours];

  float operator[](int lane) const { return four[lane / 4][lane % 4]; }
  void fill(double value) {
    for (auto& some : four) some = Four{} + static_cast<float>(value);
  }
  void set(int lane, double value) { four[lane / 4][lane % 4] = static_cast<float>(value); }
};

// The relative error of the score of n tokens, if all weights have the same sign: fewer than 6n + 2 roundings, of
// weights and of their sums, none of which is larger than the score.
inline double relative_error(int n) { return (6 * n + 2) * 0x1p-24; }

class LaneChart {
 public:
  explicit LaneChart(Layout layout) : layout_(layout) {}

  // The score of the best tree under the weights of each lane.
  Lanes best(std::span<const std::int32_t> sentence, std::span<const Lanes> weights);

 private:
  struct Side {
    std::vector<Lanes> open, closed, closed_by_end, arc;  // [head][end], as in halves.hpp
    std::vector<const Lanes*> decision;                   // of each head
  };
  void resize(int n);
  void start(std::span<const std::int32_t> sentence, std::span<const Lanes> weights);
  void attach(int i, int j, std::span<const std::int32_t> sentence, std::span<const Lanes> weights);
  void extend(int i, int j);
  void set(Side& side, int head, int end, const Lanes& last);

  Layout layout_;
  int n_ = 0;
  Side side_[2];
};

}  // namespace treaty::induce
