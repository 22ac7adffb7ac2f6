#include "induce/inside.hpp"

#include <algorithm>
#include <limits>

#include "label/exponential.hpp"
#include "learn/host.hpp"

namespace treaty::induce {
namespace {

using label::exponential;
using label::logarithm;
constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kLong = 128;  // words of a span that takes a while

// log of the sum of exp(a[k] + b[k])
double log_sum(const double* a, const double* b, int from, int to) {
  double most = kNever;
  for (int k = from; k < to; ++k) most = std::max(most, a[k] + b[k]);
  if (most == kNever) return kNever;
  double sum = 0.0;
  for (int k = from; k < to; ++k) sum += exponential(a[k] + b[k] - most);
  return most + logarithm(sum);
}

// Distributes the outside probability of a sum over its terms, in proportion.
void share(double passes, double total, const double* a, const double* b, double* to_a, double* to_b, int stride_b,
           int from, int to) {
  if (passes == 0.0 || total == kNever) return;
  for (int k = from; k < to; ++k) {
    const double part = passes * exponential(a[k] + b[k] - total);
    to_a[k] += part;
    to_b[static_cast<std::ptrdiff_t>(k) * stride_b] += part;
  }
}

}  // namespace

double InsideOutside::inside() {
  auto &left = in_.side[0], &right = in_.side[1];  // clang before 16 does not capture bindings
  const int n = in_.n;
  for (int width = 1; width < n; ++width)
    for (int i = 0; i + width < n; ++i) {
      if (width >= kLong) learn::check_interrupt(i);
      const int j = i + width;
      right.arc.set(i, j, in_.arc_weight[i * n + j] + log_sum(right.open.of_head(i), left.closed.of_head(j) + 1, i, j));
      left.arc.set(j, i, in_.arc_weight[j * n + i] + log_sum(right.closed.of_head(i), left.open.of_head(j) + 1, i, j));
      const double to_right = log_sum(right.arc.of_head(i), right.closed.of_end(j), i + 1, j + 1);
      right.closed.set(i, j, to_right + right.stop[i]);
      right.open.set(i, j, to_right + right.go_on[i]);
      const double to_left = log_sum(left.arc.of_head(j), left.closed.of_end(i), i, j);
      left.closed.set(j, i, to_left + left.stop[j]);
      left.open.set(j, i, to_left + left.go_on[j]);
    }
  double most = kNever, sum = 0.0;
  const auto score = [&](int i) { return in_.root_weight[i] + left.closed.at(i, 0) + right.closed.at(i, n - 1); };
  for (int i = 0; i < n; ++i) most = std::max(most, score(i));
  if (most == kNever) return kNever;
  for (int i = 0; i < n; ++i) sum += exponential(score(i) - most);
  return most + logarithm(sum);
}

// The outside step of an arc's sum over where its halves meet.
void InsideOutside::share_arc(int i, int j) {
  auto& [left, right] = in_.side;
  auto& [to_left, to_right] = out_.side;
  const int n = in_.n;
  share(to_right.arc.at(i, j), right.arc.at(i, j) - in_.arc_weight[i * n + j], right.open.of_head(i),
        left.closed.of_head(j) + 1, to_right.open.of_head(i), to_left.closed.of_head(j) + 1, 1, i, j);
  share(to_left.arc.at(j, i), left.arc.at(j, i) - in_.arc_weight[j * n + i], right.closed.of_head(i),
        left.open.of_head(j) + 1, to_right.closed.of_head(i), to_left.open.of_head(j) + 1, 1, i, j);
}

// The outside step of a half's sum over its last child.
void InsideOutside::share_half(int i, int j) {
  auto& [left, right] = in_.side;
  auto& [to_left, to_right] = out_.side;
  const int n = in_.n;
  for (auto* to : {&to_right.closed, &to_right.open}) {
    const bool stops = to == &to_right.closed;
    const double total = (stops ? right.closed : right.open).at(i, j) - (stops ? right.stop : right.go_on)[i];
    share(to->at(i, j), total, right.arc.of_head(i), right.closed.of_end(j), to_right.arc.of_head(i),
          to_right.closed.of_head(0) + j, n, i + 1, j + 1);
  }
  for (auto* to : {&to_left.closed, &to_left.open}) {
    const bool stops = to == &to_left.closed;
    const double total = (stops ? left.closed : left.open).at(j, i) - (stops ? left.stop : left.go_on)[j];
    share(to->at(j, i), total, left.arc.of_head(j), left.closed.of_end(i), to_left.arc.of_head(j),
          to_left.closed.of_head(0) + i, n, i, j);
  }
}

void InsideOutside::outside(std::span<const std::int32_t> sentence, double log_sum, double times,
                            std::span<double> counts) {
  const int n = in_.n;
  out_.n = n;
  for (auto& side : out_.side) {
    side.resize(n);
    for (auto* table : {&side.open, &side.closed, &side.arc})
      std::fill_n(table->of_head(0), static_cast<std::size_t>(n) * n, 0.0);
  }
  auto& [left, right] = out_.side;
  for (int i = 0; i < n; ++i) {
    const double share = times * exponential(in_.root_weight[i] + in_.side[kLeft].closed.at(i, 0) +
                                             in_.side[kRight].closed.at(i, n - 1) - log_sum);
    counts[layout_.root(sentence[i])] += share;
    left.closed.of_head(i)[0] += share;
    right.closed.of_head(i)[n - 1] += share;
  }
  for (int width = n - 1; width > 0; --width)
    for (int i = 0; i + width < n; ++i) {
      share_half(i, i + width);
      share_arc(i, i + width);
    }
  for (int i = 0; i < n; ++i)
    for (int d : {kLeft, kRight})
      for (int j = d == kLeft ? 0 : i; j < (d == kLeft ? i + 1 : n); ++j) {
        const auto& side = out_.side[d];
        const int valence = i == j ? kFirst : kLater;
        counts[layout_.decision(sentence[i], d, valence, kStop)] += side.closed.at(i, j);
        counts[layout_.decision(sentence[i], d, valence, kContinue)] += side.open.at(i, j);
        if (i != j) counts[layout_.child(sentence[i], d, sentence[j])] += side.arc.at(i, j);
      }
}

double InsideOutside::run(std::span<const std::int32_t> sentence, std::span<const double> weights, double times,
                          std::span<double> counts) {
  in_.start(layout_, sentence, weights);
  const double log_sum = inside();
  if (log_sum != kNever) outside(sentence, log_sum, times, counts);
  return log_sum;
}

}  // namespace treaty::induce
