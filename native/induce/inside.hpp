// The sum over all projective trees of a sentence and the expected features: inside-outside over the same items as the
// best tree's.
#pragma once

#include <cstdint>
#include <span>

#include "induce/halves.hpp"

namespace treaty::induce {

class InsideOutside {
 public:
  explicit InsideOutside(Layout layout) : layout_(layout) {}

  // log of the sum over trees of exp(score), -inf if all are impossible; then adds the expected features, `times`
  // times, to `counts`.
  double run(std::span<const std::int32_t> sentence, std::span<const double> weights, double times,
             std::span<double> counts);

 private:
  double inside();
  void outside(std::span<const std::int32_t> sentence, double log_sum, double times, std::span<double> counts);
  void share_arc(int i, int j);
  void share_half(int i, int j);

  Layout layout_;
  Halves in_;
  // The probability of an item.
  Halves out_;
};

}  // namespace treaty::induce
