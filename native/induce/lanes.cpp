#include "induce/lanes.hpp"

#include <limits>

#include "learn/host.hpp"

namespace treaty::induce {
namespace {

constexpr int kLong = 64;  // words of a span that takes a while

Lanes sum(const Lanes& a, const Lanes& b) {
  Lanes c;
  for (int f = 0; f < Lanes::kFours; ++f) c.four[f] = a.four[f] + b.four[f];
  return c;
}

// The largest of a[k] + b[k], lane by lane.
Lanes best_sum(const Lanes* a, const Lanes* b, int from, int to) {
  Lanes best = sum(a[from], b[from]);
  for (int k = from + 1; k < to; ++k)
    for (int f = 0; f < Lanes::kFours; ++f) {
      const auto one = a[k].four[f] + b[k].four[f];
      best.four[f] = one > best.four[f] ? one : best.four[f];
    }
  return best;
}

}  // namespace

void LaneChart::resize(int n) {
  n_ = n;
  const auto cells = static_cast<std::size_t>(n) * n;
  for (auto& side : side_) {
    if (side.open.size() < cells)
      for (auto* table : {&side.open, &side.closed, &side.closed_by_end, &side.arc}) table->resize(cells);
    if (static_cast<int>(side.decision.size()) < n) side.decision.resize(n);
  }
}

void LaneChart::start(std::span<const std::int32_t> sentence, std::span<const Lanes> weights) {
  resize(static_cast<int>(sentence.size()));
  for (int i = 0; i < n_; ++i)
    for (int d : {kLeft, kRight}) {
      auto& side = side_[d];
      const Lanes* decision = &weights[layout_.decision(sentence[i], d, kFirst, kStop)];
      side.decision[i] = decision;
      side.closed[i * n_ + i] = side.closed_by_end[i * n_ + i] = decision[kStop];
      side.open[i * n_ + i] = decision[kContinue];
    }
}

void LaneChart::attach(int i, int j, std::span<const std::int32_t> sentence, std::span<const Lanes> weights) {
  auto& [left, right] = side_;
  const Lanes& to_right = weights[layout_.child(sentence[i], kRight, sentence[j])];
  const Lanes& to_left = weights[layout_.child(sentence[j], kLeft, sentence[i])];
  right.arc[i * n_ + j] = sum(to_right, best_sum(&right.open[i * n_], &left.closed[j * n_] + 1, i, j));
  left.arc[j * n_ + i] = sum(to_left, best_sum(&right.closed[i * n_], &left.open[j * n_] + 1, i, j));
}

void LaneChart::set(Side& side, int head, int end, const Lanes& last) {
  const Lanes* later = side.decision[head] + 2 * kLater;
  side.open[head * n_ + end] = sum(last, later[kContinue]);
  side.closed[head * n_ + end] = side.closed_by_end[end * n_ + head] = sum(last, later[kStop]);
}

void LaneChart::extend(int i, int j) {
  auto& [left, right] = side_;
  set(right, i, j, best_sum(&right.arc[i * n_], &right.closed_by_end[j * n_], i + 1, j + 1));
  set(left, j, i, best_sum(&left.arc[j * n_], &left.closed_by_end[i * n_], i, j));
}

Lanes LaneChart::best(std::span<const std::int32_t> sentence, std::span<const Lanes> weights) {
  start(sentence, weights);
  for (int width = 1; width < n_; ++width)
    for (int i = 0; i + width < n_; ++i) {
      if (width >= kLong) learn::check_interrupt(i);
      attach(i, i + width, sentence, weights);
      extend(i, i + width);
    }
  Lanes best;
  for (auto& four : best.four) four = Lanes::Four{} - std::numeric_limits<float>::infinity();
  for (int i = 0; i < n_; ++i) {
    const auto halves = sum(side_[kLeft].closed[i * n_], side_[kRight].closed[i * n_ + n_ - 1]);
    const auto tree = sum(weights[layout_.root(sentence[i])], halves);
    for (int f = 0; f < Lanes::kFours; ++f) best.four[f] = tree.four[f] > best.four[f] ? tree.four[f] : best.four[f];
  }
  return best;
}

}  // namespace treaty::induce
