// The items of the split-head algorithm (Eisner & Satta 1999), which computes the best tree, the sum over trees and its
// gradient. A half is a head with all its descendants on one side, up to token `end`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/grammar.hpp"

namespace treaty::induce {

// One number for each pair of a head and the end of a half, stored by heads and by ends, so that inner loops read
// contiguous memory either way.
class HalfTable {
 public:
  void resize(int n) {
    n_ = n;
    const auto cells = static_cast<std::size_t>(n) * n;
    if (by_head_.size() < cells) by_head_.resize(cells), by_end_.resize(cells);
  }
  void set(int head, int end, double value) {
    by_head_[static_cast<std::size_t>(head) * n_ + end] = value;
    by_end_[static_cast<std::size_t>(end) * n_ + head] = value;
  }
  double at(int head, int end) const { return by_head_[static_cast<std::size_t>(head) * n_ + end]; }
  double* of_head(int head) { return &by_head_[static_cast<std::size_t>(head) * n_]; }
  const double* of_head(int head) const { return &by_head_[static_cast<std::size_t>(head) * n_]; }
  const double* of_end(int end) const { return &by_end_[static_cast<std::size_t>(end) * n_]; }

 private:
  int n_ = 0;
  std::vector<double> by_head_, by_end_;
};

// The items of each direction, and the weights of its decisions.
struct Side {
  HalfTable open;    // more children may follow; includes the decision to continue
  HalfTable closed;  // includes the decision to stop
  HalfTable arc;     // `end` is the last child, whose own half beyond is still missing
  std::vector<double> stop, go_on;  // by head, after the first child

  void resize(int n) {
    for (auto* table : {&open, &closed, &arc}) table->resize(n);
    if (static_cast<int>(stop.size()) < n) stop.resize(n), go_on.resize(n);
  }
};

struct Halves {
  int n = 0;
  Side side[2];
  std::vector<double> arc_weight;   // [head][child]
  std::vector<double> root_weight;  // [token]

  void start(const Layout& layout, std::span<const std::int32_t> sentence, std::span<const double> weights) {
    n = static_cast<int>(sentence.size());
    for (auto& one : side) one.resize(n);
    const auto cells = static_cast<std::size_t>(n) * n;
    if (arc_weight.size() < cells) arc_weight.resize(cells);
    if (static_cast<int>(root_weight.size()) < n) root_weight.resize(n);
    for (int i = 0; i < n; ++i) {
      const int tag = sentence[i];
      root_weight[i] = weights[layout.root(tag)];
      for (int d : {kLeft, kRight}) {
        const double* decision = &weights[layout.decision(tag, d, kFirst, kStop)];
        side[d].closed.set(i, i, decision[kStop]);
        side[d].open.set(i, i, decision[kContinue]);
        side[d].stop[i] = decision[2 * kLater + kStop];
        side[d].go_on[i] = decision[2 * kLater + kContinue];
        const double* child = &weights[layout.child(tag, d, 0)];
        double* row = &arc_weight[static_cast<std::size_t>(i) * n];
        for (int j = d == kLeft ? 0 : i + 1; j < (d == kLeft ? i : n); ++j) row[j] = child[sentence[j]];
      }
    }
  }
};

}  // namespace treaty::induce
