// The weights of a model in training, with a second table that sums the updates weighted by when they came: it gives
// the average of all weight vectors seen at the price of one more addition per update.
//
// The weights are `values` times one scale, which a regularizer shrinks for all at once. Time runs by the scale after
// each step: an update d at time T adds d (now - T) to the sum of all weight vectors so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/huge_pages.hpp"

namespace treaty::label {

using features::HugePages;

class AveragedWeights {
 public:
  using Table = std::vector<float, HugePages<float>>;

  void resize(std::size_t size) { values.assign(size, 0.0f); }
  // What a change counts in the two tables.
  struct Rate {
    float now, late;
    Rate operator*(float times) const { return {now * times, late * times}; }
  };
  Rate rate_of(double change) const {
    return {static_cast<float>(change / scale_), static_cast<float>(change / scale_ * time)};
  }
  // Adds the numbers, times the rate, to as many weights from `at` on.
  void add(std::size_t at, std::span<const float> numbers, Rate rate) {
    float* const value = values.data() + at;
    for (std::size_t i = 0; i < numbers.size(); ++i) value[i] += rate.now * numbers[i];
    if (late.empty()) return;
    float* const sum = late.data() + at;
    for (std::size_t i = 0; i < numbers.size(); ++i) sum[i] += rate.late * numbers[i];
  }
  void shrink(double factor) {
    scale_ *= factor;
    if (scale_ < kLeastScale) fold();
  }
  // Brings the scale back into the weights.
  void fold() {
    if (scale_ == 1.0) return;
    for (auto& value : values) value *= static_cast<float>(scale_);
    time /= scale_;
    scale_ = 1.0;
  }
  double scale() const { return scale_; }

  void start_averaging() {
    late.assign(values.size(), 0.0f);
    time = 0.0;
    step = 0;
  }
  void next_step() {
    ++seen;
    ++step;
    time += scale_;
  }
  // The mean of the weights after each step since averaging began.
  std::vector<float> average() const {
    std::vector<float> mean(values.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = mean_of(i);
    return mean;
  }
  // Puts it in the place of the weights; averaging is over.
  void keep_average() {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = mean_of(i);
    late = {};
    scale_ = 1.0;
  }

  Table values, late;      // nothing late where not training
  std::int64_t seen = 0;   // examples in all
  std::int64_t step = 0;   // since averaging began
  double time = 0.0;       // likewise

 private:
  float mean_of(std::size_t i) const {
    if (late.empty() || step == 0) return static_cast<float>(scale_ * values[i]);
    return static_cast<float>((time * values[i] - late[i]) / static_cast<double>(step));
  }

  static constexpr double kLeastScale = 1e-4;  // smaller ones cost digits
  double scale_ = 1.0;
};

}  // namespace treaty::label
